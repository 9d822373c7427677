var ALIKE=6,
LIKE_THE_FIRST=20,
WINDOW=512;
function healthTests(){let[s,r,t,a,n,f]=[0,0,0,-1,-1,!0];return i=>{for(const e of i)s%WINDOW===0&&([a,t]=[e,0]),t+=+(e===a),r=e===n?r+1:1,n=e,s+=1,f&&=r<ALIKE&&t<LIKE_THE_FIRST;return f}}
