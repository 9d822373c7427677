var cu=6,
du=20,
lu=512;
function rr(){let[e,t,n,r,o,s]=[0,0,0,-1,-1,!0];return i=>{for(let a of i)e%512===0&&([r,n]=[a,0]),n+=+(a===r),t=a===o?t+1:1,o=a,e+=1,s&&=t<6&&n<20;return s}}
var du=6,
lu=20,
uu=512;
function wr(){let[e,t,n,r,o,s]=[0,0,0,-1,-1,!0];return i=>{for(let a of i)e%512===0&&([r,n]=[a,0]),n+=+(a===r),t=a===o?t+1:1,o=a,e+=1,s&&=t<6&&n<20;return s}}
