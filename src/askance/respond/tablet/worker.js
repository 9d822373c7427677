// Keeps one page on the device, and hands it out whether there is a network or not. The page is known by its
// SHA-256: another one is not kept under this worker's name. Whatever else is asked for, such as taking a
// report in, goes past it.

const PAGE = "{page}";
const HOME = new URL("./", self.registration.scope);
const FILES = ["./", "manifest.webmanifest"];
const ABOUT = `askance-tablet:${HOME.pathname}:`;

async function fresh(name) {
  const reply = await fetch(new URL(name, HOME), { cache: "no-store", credentials: "omit", redirect: "error" });
  if (!reply.ok) throw new Error(`${name}: ${reply.status}`);
  return reply;
}

async function keep() {
  const replies = await Promise.all(FILES.map(fresh));
  const digest = await crypto.subtle.digest("SHA-256", await replies[0].clone().arrayBuffer());
  const found = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== PAGE) throw new Error("another page lies at this address");
  const kept = await caches.open(ABOUT + PAGE);
  await Promise.all(FILES.map((name, at) => kept.put(new URL(name, HOME), replies[at])));
}

async function clear() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(ABOUT) && name !== ABOUT + PAGE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// A file of this folder: its page under every name that it is opened by, whatever stands behind a "?".
function fileOf({ method, mode, url }) {
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== HOME.origin) return undefined;
  const name = FILES.find((one) => new URL(one, HOME).pathname === pathname);
  return name ?? (mode === "navigate" && pathname === `${HOME.pathname}index.html` ? "./" : undefined);
}

async function handOut(name) {
  const kept = await caches.open(ABOUT + PAGE);
  return (await kept.match(new URL(name, HOME))) ?? fresh(name);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const name = fileOf(event.request);
  if (name) event.respondWith(handOut(name));
});
