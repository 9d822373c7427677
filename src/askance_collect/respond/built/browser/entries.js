var we=()=>[0,1,2].indexOf(history.state),
St=-1;
function Lo({back:e,forward:t},n){let r=0,o=()=>{St>=0||we()<0||we()===r||(St=r,history.go(r-we()))},s=()=>{if(we()<0)return;let i=we()===St?0:we()-r;St=r,i<0?e():i>0&&t(),St=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&we()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return we()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-we()))}}}
