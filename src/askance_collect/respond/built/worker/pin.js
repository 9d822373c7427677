const PAGE = self.location.search.slice(1);
const FILES = ["./"];
const PURPOSE = "askance-pin";
const OWN = /\npin\(.[0-9a-f]{64}./;
const POLICY = /script-src .sha256-[\w+/=]{44}./;
async function isPage(bytes) {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const bare = text.replace(OWN, "\npin(").replace(POLICY, "script-src");
  return await digest(new TextEncoder().encode(bare)) === PAGE;
}
function fileOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || mode !== "navigate" || origin !== HOME.origin) return void 0;
  return [HOME.pathname, `${HOME.pathname}index.html`].includes(pathname) ? "./" : void 0;
}
