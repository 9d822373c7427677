function receiptScreen({form:t,fingerprint:n,speech:a},{id:i,digest:p,page:o}){const{words:e,text:r}=a,s=[[e.receiptId,i],[e.receiptDigest,p],[e.receiptPage,o],[e.receiptForm,n]],l=s.map(([c,h])=>element("div",{},element("dt",{},c),element("dd",{className:"code",translate:!1},h))),d=[r(t.title),"",...s.map(c=>c.join(": ")),"",e.withdraw,"",r(t.contact)];return[heading(e.thanks),paragraph(e.thanksHint),element("h2",{},e.receipt),element("dl",{className:"receipt"},...l),paragraph(e.withdraw),buttons(button(e.save,()=>save(`receipt-${i.slice(0,8)}.txt`,d.join(`
`)),"main")),paragraph(e.saveHint,"hint")]}
function endingScreen(t,{speech:{words:n}}){const[a,i]=n[t]?[n[t],n[`${t}Hint`]]:[n.stopped,n.stoppedHint[t]];return[heading(a),paragraph(i)]}
function save(t,n){const a=URL.createObjectURL(new Blob([`${n}
`],{type:"text/plain"}));element("a",{href:a,download:t}).click(),setTimeout(()=>URL.revokeObjectURL(a),1e3)}
