var ce=()=>[0,1,2].indexOf(history.state),
pt=-1;
function zr({back:e,forward:t},n){let r=0,o=()=>{pt>=0||ce()<0||ce()===r||(pt=r,history.go(r-ce()))},s=()=>{if(ce()<0)return;let i=ce()===pt?0:ce()-r;pt=r,i<0?e():i>0&&t(),pt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&ce()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return ce()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-ce()))}}}
var de=()=>[0,1,2].indexOf(history.state),
yt=-1;
function ao({back:e,forward:t},n){let r=0,o=()=>{yt>=0||de()<0||de()===r||(yt=r,history.go(r-de()))},s=()=>{if(de()<0)return;let i=de()===yt?0:de()-r;yt=r,i<0?e():i>0&&t(),yt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&de()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return de()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-de()))}}}
