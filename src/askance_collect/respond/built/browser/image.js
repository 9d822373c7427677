var ir=/^(?!.{65537})data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/,
mc=R({image:ir,alt:O}),
Vo=(e,t)=>le(e,mc,t)&&ar(e),
ar=({image:e,alt:t})=>(e.length-e.indexOf(",")-1)%4===0&&Object.values(t).every(n=>/[\S\ufeff]/.test(n)),
ln=({image:e,alt:t},{text:n},r)=>p("img",{src:e,alt:n(t),className:r,draggable:!1});
