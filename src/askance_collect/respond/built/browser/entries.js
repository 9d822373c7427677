var fe=()=>[0,1,2].indexOf(history.state),
kt=-1;
function ko({back:e,forward:t},n){let r=0,o=()=>{kt>=0||fe()<0||fe()===r||(kt=r,history.go(r-fe()))},s=()=>{if(fe()<0)return;let i=fe()===kt?0:fe()-r;kt=r,i<0?e():i>0&&t(),kt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&fe()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return fe()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-fe()))}}}
var pe=()=>[0,1,2].indexOf(history.state),
yt=-1;
function yo({back:e,forward:t},n){let r=0,o=()=>{yt>=0||pe()<0||pe()===r||(yt=r,history.go(r-pe()))},s=()=>{if(pe()<0)return;let i=pe()===yt?0:pe()-r;yt=r,i<0?e():i>0&&t(),yt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&pe()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return pe()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-pe()))}}}
