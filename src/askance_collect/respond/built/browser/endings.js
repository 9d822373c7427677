function yo({form:e,fingerprint:t,speech:n},{id:r,digest:o,page:s}){let{words:i,text:a}=n,c=[[i.receiptId,r],[i.receiptDigest,o],[i.receiptPage,s],[i.receiptForm,t]],d=c.map(([l,f])=>p("div",{},p("dt",{},l),p("dd",{className:"code",translate:!1},f))),u=[a(e.title),"",...c.map(l=>l.join(": ")),"",i.withdraw,"",a(e.contact)];return[A(i.thanks),h(i.thanksHint),p("h2",{},i.receipt),p("dl",{className:"receipt"},...d),h(i.withdraw),S(b(i.save,()=>zn(`receipt-${r.slice(0,8)}.txt`,u.join(`
`)),"main")),h(i.saveHint,"hint")]}
function Qt(e,{speech:{words:t}}){let[n,r]=t[e]?[t[e],t[`${e}Hint`]]:[t.stopped,t.stoppedHint[e]];return[A(n),h(r)]}
function zn(e,t){let n=URL.createObjectURL(new Blob([`${t}
`],{type:"text/plain"}));p("a",{href:n,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(n),1e3)}
