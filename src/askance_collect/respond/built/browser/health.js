var ALIKE=6,
LIKE_THE_FIRST=20,
WINDOW=512;
function healthTests(){let[s,t,r,a,n,f]=[0,0,0,!0];return i=>{for(const e of i)s%WINDOW===0&&([n,r]=[e,0]),r+=e===n,t=e===f?t+1:1,f=e,s+=1,a&&=t<ALIKE&&r<LIKE_THE_FIRST;return a}}
