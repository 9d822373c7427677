function Lo({form:e,fingerprint:t,speech:n},{id:r,digest:o,page:s}){let{words:i,text:a}=n,c=[[i.receiptId,r],[i.receiptDigest,o],[i.receiptPage,s],[i.receiptForm,t]],d=c.map(([f,p])=>m("div",{},m("dt",{},f),m("dd",{className:"code",translate:!1},p))),u=[a(e.title),"",...c.map(f=>f.join(": ")),"",i.withdraw,"",a(e.contact)],l=j(i.receipt,m("dl",{},...d),h(i.withdraw),S(y(i.save,()=>Yn(`receipt-${r.slice(0,8)}.txt`,u.join(`
`)))),h(i.saveHint,"hint"));return[E(i.thanks),h(i.thanksHint),Object.assign(l,{className:"receipt"})]}
function Zt(e,{speech:{words:t}}){let[n,r]=t[e]?[t[e],t[`${e}Hint`]]:[t.stopped,t.stoppedHint[e]];return[E(n),h(r)]}
function Yn(e,t){let n=URL.createObjectURL(new Blob([`${t}
`],{type:"text/plain"}));m("a",{href:n,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}
