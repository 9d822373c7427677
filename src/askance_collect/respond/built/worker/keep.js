const HOME = new URL("./", self.registration.scope);
const ABOUT = `${PURPOSE}:${HOME.pathname}:`;
async function digest(bytes) {
  const found = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
async function fresh(name) {
  const reply = await fetch(new URL(name, HOME), { cache: "no-store", credentials: "omit", redirect: "error" });
  if (!reply.ok) throw new Error(`${name}: ${reply.status}`);
  if (name === "./" && !await isPage(await reply.clone().arrayBuffer())) throw new Error("another page lies at this address");
  return reply;
}
async function keep() {
  const replies = await Promise.all(FILES.map(fresh));
  const kept = await caches.open(ABOUT + PAGE);
  await Promise.all(FILES.map((name, at) => kept.put(new URL(name, HOME), replies[at])));
}
async function clear() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(ABOUT) && name !== ABOUT + PAGE);
  await Promise.all(old.map((name) => caches.delete(name)));
}
async function handOut(name) {
  const kept = await caches.open(ABOUT + PAGE);
  return await kept.match(new URL(name, HOME)) ?? fresh(name);
}
self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(clear()));
self.addEventListener("fetch", (event) => {
  const name = fileOf(event.request);
  if (name) event.respondWith(handOut(name));
});
