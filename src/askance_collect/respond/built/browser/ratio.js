function worstRatio({table:{rows:s}},{words:l,number:n}){let[o,t]=[1n,1n];for(const m of s[0].keys()){const a=s.map(e=>e[m]),[r,i]=[largest(a),-largest(a.map(e=>-e))].map(BigInt);r*t>o*i&&([o,t]=[r,i])}if(t===0n)return;const c=o>t?Math.ceil(1e3*Math.log(Number(o)/Number(t))+1e-9)/1e3:0;return l.ratio(n(roundedUp(o,t,3)),n(c))}
oddsTexts.worstRatio=worstRatio;
