var ar=/^(?!.{65537})data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/,
ac=v({image:ar,alt:A}),
Ko=(e,t)=>de(e,ac,t)&&cr(e),
cr=({image:e,alt:t})=>(e.length-e.indexOf(",")-1)%4===0&&Object.values(t).every(n=>/[\S\ufeff]/.test(n)),
cn=({image:e,alt:t},{text:n},r)=>m("img",{src:e,alt:n(t),className:r,draggable:!1});
