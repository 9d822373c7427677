var IMAGE=/^data:image\/(png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/|svg\+xml;base64,|webp;base64,UklGR[A-Za-z0-9+/]{6}XRUJQ)[A-Za-z0-9+/]+={0,2}$/,
LARGEST_IMAGE=65536;
function isImage(a,t){const{image:e,alt:s}=a??{};return!matches(e,IMAGE)||e.length>LARGEST_IMAGE||Object.keys(a).length!==2?!1:(e.length-e.indexOf(",")-1)%4===0&&isWording(s,t)&&Object.values(s).every(g=>g.trim()!=="")}
var shownImage=({image:a,alt:t},{text:e},s)=>element("img",{src:a,alt:e(t),className:s,draggable:!1});
