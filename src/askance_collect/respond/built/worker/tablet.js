const PAGE = "{page}";
const FILES = ["./", "manifest.webmanifest"];
const PURPOSE = "askance-tablet";
const isPage = async (bytes) => await digest(bytes) === PAGE;
function fileOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== HOME.origin) return void 0;
  const name = FILES.find((one) => new URL(one, HOME).pathname === pathname);
  return name ?? (mode === "navigate" && pathname === `${HOME.pathname}index.html` ? "./" : void 0);
}
