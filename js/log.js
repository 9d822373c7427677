// Checks, in a browser or in Node, what `askance log prove` writes: that an entry is in a log whose head is
// signed, or that nothing left it since an earlier head. Needs the proof and the log's public key, and asks
// nobody. Twin of askance_collect.wire.merkle and askance.transparency.signed_note, held to the same vectors.
// Merkle trees: Laurie, Messeri, Stradling (2021), RFC 9162, section 2.1. Heads and proofs: c2sp.org/signed-note,
// tlog-checkpoint, tlog-proof and tlog-witness.

const DIGEST = 32;
const ED25519 = 1;
const SIGNATURES = 100;
const SIGNED = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/;
const HEAD = /^([^\n]+)\n(0|[1-9]\d{0,18})\n([^\n]+)\n(?:[^\n]+\n)*$/;
const PROOF = "c2sp.org/tlog-proof@v1";
const NOT_PLAIN = /[\0-\x09\x0b-\x1f]/;

const spelt = (text) => new TextEncoder().encode(text);
const isSame = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);
const areHashes = (hashes) => hashes.every((one) => one instanceof Uint8Array && one.length === DIGEST);

async function hashed(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

const joined = (left, right) => hashed([1], left, right);

export const leafHash = (entry) => hashed([0], typeof entry === "string" ? spelt(entry) : entry);

export async function isIncluded(leaf, index, size, proof, head) {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  if (!areHashes([leaf, ...proof])) return false;
  const found = await climbed(index, size - 1, leaf, proof);
  return found !== undefined && isSame(found[1], head);
}

export async function isConsistent(first, firstHead, size, head, proof) {
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(size) || first < 0 || first > size) return false;
  if (first === size && !isSame(firstHead, head)) return false;
  if (first === 0 || first === size) return proof.length === 0 && (first > 0 || isSame(firstHead, await hashed()));
  let [at, last] = [first - 1, size - 1];
  while (at % 2 === 1) [at, last] = halved(at, last);
  const path = at > 0 ? [...proof] : [firstHead, ...proof];
  if (path.length === 0 || !areHashes(path)) return false;
  const found = await climbed(at, last, path[0], path.slice(1));
  return found !== undefined && isSame(found[0], firstHead) && isSame(found[1], head);
}

// No bit operations: they would cut a number to 32 bits.
const halved = (...numbers) => numbers.map((one) => Math.floor(one / 2));

// Joins what is found at a place with what stands beside it, up to the top of the tree. Gives what its left
// neighbours make with it, and what all do; nothing if the path has another length than the tree.
async function climbed(place, end, found, path) {
  let [at, last, then, now] = [place, end, found, found];
  for (const one of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      [then, now] = [await joined(one, then), await joined(one, now)];
      while (at % 2 === 0 && at > 0) [at, last] = halved(at, last);
    } else now = await joined(now, one);
    [at, last] = halved(at, last);
  }
  return last === 0 ? [then, now] : undefined;
}

export async function readHead(note, key) {
  const { name, text } = await opened(note, key);
  const [, origin, size, head] = HEAD.exec(text) ?? [];
  const hash = base64(head ?? "");
  if (origin !== name || hash?.length !== DIGEST || !Number.isSafeInteger(Number(size))) throw new TypeError(`no head of the log ${name}`);
  return { origin, size: Number(size), head: hash };
}

export async function checkEntry(proof, entry, key) {
  const [first, ...rest] = linesOf(proof);
  const lines = rest[0]?.startsWith("extra ") ? rest.slice(1) : rest;
  if (first !== PROOF) throw new TypeError("no proof of an entry");
  const [index, path] = numbered("index", lines);
  const found = await readHead(noteOf(proof), key);
  if (await isIncluded(await leafHash(entry), index, found.size, path, found.head)) return found;
  throw new TypeError(`no proof of ${entry}`);
}

export async function checkGrowth(proof, earlier, key) {
  const [first, path] = numbered("old", linesOf(proof));
  const found = await readHead(noteOf(proof), key);
  if (first === earlier.size && (await isConsistent(first, earlier.head, found.size, found.head, path))) return found;
  throw new TypeError(`no proof that the first ${earlier.size} entries are still there`);
}

const linesOf = (proof) => proof.split("\n\n", 1)[0].split("\n");
const noteOf = (proof) => proof.slice(proof.indexOf("\n\n") + 2);

function numbered(word, [first, ...lines]) {
  const [, number] = new RegExp(`^${word} (0|[1-9]\\d{0,18})$`).exec(first ?? "") ?? [];
  const path = lines.map((line) => base64(line) ?? []);
  if (number === undefined || !areHashes(path)) throw new TypeError("no proof, as askance log prove writes it");
  return [Number(number), path];
}

// The text of a note, if every signature of this key below it is right, and there is one.
async function opened(note, vkey) {
  const { name, id, key } = await verifierOf(vkey.trim());
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const below = note.slice(end + 2).split("\n").slice(0, -1);
  const lines = below.slice(0, SIGNATURES).map((line) => SIGNED.exec(line));
  if (end < 1 || !note.endsWith("\n") || lines.includes(null) || NOT_PLAIN.test(note)) throw new TypeError("no signed note");
  const signed = lines.filter(([, by]) => by === name).map(([, , signature]) => base64(signature) ?? new Uint8Array());
  const mine = signed.filter((signature) => isSame(signature.subarray(0, 4), id));
  const right = await Promise.all(mine.map((one) => crypto.subtle.verify("Ed25519", key, one.subarray(4), spelt(text))));
  if (right.length === 0 || right.includes(false)) throw new TypeError(`not signed under the key of ${name}`);
  return { name, text };
}

async function verifierOf(text) {
  const [, name, told, rest] = /^([^\s+]{1,255})\+([0-9a-f]{8})\+(.*)$/.exec(text) ?? [];
  const raw = base64(rest ?? "");
  const id = raw?.length === 1 + DIGEST && raw[0] === ED25519 ? (await hashed(spelt(`${name}\n`), raw)).subarray(0, 4) : [];
  if ([...id].map((byte) => byte.toString(16).padStart(2, "0")).join("") !== told) throw new TypeError("no public key of a log");
  return { name, id, key: await crypto.subtle.importKey("raw", raw.subarray(1), "Ed25519", false, ["verify"]) };
}

// Standard base64 in its one spelling.
function base64(text) {
  try {
    const bytes = atob(text);
    return btoa(bytes) === text ? Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)) : undefined;
  } catch {
    return undefined;
  }
}
