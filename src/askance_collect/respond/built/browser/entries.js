var LONGEST_STEP=500,
isAlone=()=>window.parent===window,
entryNumber=()=>[0,1,2].indexOf(history.state);
function makeEntries(){try{history.replaceState(0,""),history.pushState(1,""),history.pushState(2,"")}catch{}}
function openEntries({back:a,forward:i}){const r=new AbortController;let[t,n,o]=[0,!1,!1];const s=()=>{n||o||entryNumber()<0||entryNumber()===t||(n=!0,history.go(t-entryNumber()))},l=()=>{entryNumber()<0||(n=!1,o=!0,entryNumber()<t?a():entryNumber()>t&&i(),o=!1,s())};return window.addEventListener("popstate",l,r),{stand(e){t=Number(e&&isAlone()),t&&entryNumber()<0&&makeEntries(),s()},leave(){r.abort();const e=()=>location.replace("about:blank");return entryNumber()<1?e():(window.addEventListener("popstate",e),setTimeout(e,LONGEST_STEP),history.go(-entryNumber()))},dispose:()=>r.abort()}}
