var la=/^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/,
ua=65536;
function Kt(e,t){let{image:n,alt:r}=e??{};return!D(n,la)||n.length>ua||Object.keys(e).length!==2?!1:(n.length-n.indexOf(",")-1)%4===0&&R(r,t)&&Object.values(r).every(s=>s.trim()!=="")}
var Gt=({image:e,alt:t},{text:n},r)=>m("img",{src:e,alt:n(t),className:r,draggable:!1});
var _n=/^(?!.{65537})data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/,
ka=B({image:_n,alt:$}),
wo=(e,t)=>oe(e,ka,t)&&Gn(e),
Gn=({image:e,alt:t})=>(e.length-e.indexOf(",")-1)%4===0&&Object.values(t).every(n=>/[\S\ufeff]/.test(n)),
qt=({image:e,alt:t},{text:n},r)=>p("img",{src:e,alt:n(t),className:r,draggable:!1});
