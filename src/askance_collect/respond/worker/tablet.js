// Keeps one page on the device, and hands it out whether there is a network or not. The page is known by its
// SHA-256: another one is not kept under this worker's name. Whatever else is asked for, such as taking a
// report in, goes past it.

const PAGE = "{page}";
const FILES = ["./", "manifest.webmanifest"];
const PURPOSE = "askance-tablet";

const isPage = async (bytes) => (await digest(bytes)) === PAGE;

// A file of this folder: its page under every name that it is opened by, whatever stands behind a "?".
function fileOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== HOME.origin) return undefined;
  const name = FILES.find((one) => new URL(one, HOME).pathname === pathname);
  return name ?? (mode === "navigate" && pathname === `${HOME.pathname}index.html` ? "./" : undefined);
}
