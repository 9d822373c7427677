function No({form:e,fingerprint:t,speech:n},{id:r,digest:o,page:s}){let{words:i,text:a}=n,c=[[i.receiptId,r],[i.receiptDigest,o],[i.receiptPage,s],[i.receiptForm,t]],d=c.map(([f,m])=>p("div",{},p("dt",{},f),p("dd",{className:"code",translate:!1},m))),u=[a(e.title),"",...c.map(f=>f.join(": ")),"",i.withdraw,"",a(e.contact)],l=B(i.receipt,p("dl",{},...d),h(i.withdraw),A(y(i.save,()=>Yn(`receipt-${r.slice(0,8)}.txt`,u.join(`
`)))),h(i.saveHint,"hint"));return[T(i.thanks),h(i.thanksHint),Object.assign(l,{className:"receipt"})]}
function Yt(e,{speech:{words:t}}){let[n,r]=t[e]?[t[e],t[`${e}Hint`]]:[t.stopped,t.stoppedHint[e]];return[T(n),h(r)]}
function Yn(e,t){let n=URL.createObjectURL(new Blob([`${t}
`],{type:"text/plain"}));p("a",{href:n,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}
