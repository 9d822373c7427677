var isAlone=()=>window.parent===window,
entry=()=>[0,1,2].indexOf(history.state);
function makeEntries(){try{history.replaceState(0,""),history.pushState(1,""),history.pushState(2,"")}catch{}}
function openEntries({back:a,forward:i}){const r=new AbortController;let[t,n,o]=[0,!1,!1];const s=()=>{n||o||entry()<0||entry()===t||(n=!0,history.go(t-entry()))},l=()=>{entry()<0||(n=!1,o=!0,entry()<t?a():entry()>t&&i(),o=!1,s())};return window.addEventListener("popstate",l,r),{stand(e){t=Number(e&&isAlone()),t&&entry()<0&&makeEntries(),s()},leave(){r.abort();const e=()=>location.replace("about:blank");return entry()<1?e():(window.addEventListener("popstate",e),setTimeout(e,500),history.go(-entry()))},dispose:()=>r.abort()}}
