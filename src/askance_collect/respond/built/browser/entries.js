var ie=()=>[0,1,2].indexOf(history.state),
ft=-1;
function Gr({back:e,forward:t},n){let r=0,o=()=>{ft>=0||ie()<0||ie()===r||(ft=r,history.go(r-ie()))},s=()=>{if(ie()<0)return;let i=ie()===ft?0:ie()-r;ft=r,i<0?e():i>0&&t(),ft=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&ie()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return ie()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-ie()))}}}
