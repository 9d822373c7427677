var ge=()=>[0,1,2].indexOf(history.state),
xt=-1;
function Io({back:e,forward:t},n){let r=0,o=()=>{xt>=0||ge()<0||ge()===r||(xt=r,history.go(r-ge()))},s=()=>{if(ge()<0)return;let i=ge()===xt?0:ge()-r;xt=r,i<0?e():i>0&&t(),xt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&ge()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return ge()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-ge()))}}}
