var Cf=6,
Rf=20,
jf=512;
function vr(){let[e,t,n,r,o,s]=[0,0,0,-1,-1,!0];return i=>{for(let a of i)e%512===0&&([r,n]=[a,0]),n+=+(a===r),t=a===o?t+1:1,o=a,e+=1,s&&=t<6&&n<20;return s}}
