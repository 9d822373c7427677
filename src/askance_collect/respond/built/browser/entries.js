var me=()=>[0,1,2].indexOf(history.state),
kt=-1;
function So({back:e,forward:t},n){let r=0,o=()=>{kt>=0||me()<0||me()===r||(kt=r,history.go(r-me()))},s=()=>{if(me()<0)return;let i=me()===kt?0:me()-r;kt=r,i<0?e():i>0&&t(),kt=-1,o()};return window.addEventListener("popstate",s,n),{stand(i){r=Number(i&&window.parent===window);try{r&&me()<0&&(history.replaceState(0,""),history.pushState(1,""),history.pushState(2,""))}catch{}o()},leave(){let i=()=>location.replace("about:blank");return me()<1?i():(window.addEventListener("popstate",i),setTimeout(i,500),history.go(-me()))}}}
