// The sender's key pairs of the examples of RFC 9180, appendices A.1.1 and A.3.1.

import { readFileSync } from "node:fs";

import { KEMS } from "../../src/askance_collect/respond/browser/hpke.js";

export const EXAMPLES = JSON.parse(readFileSync(new URL("../oracles/rfc9180.json", import.meta.url), "ascii"));
const base64 = (hex) => Buffer.from(hex, "hex").toString("base64url");

export async function pairOf(name) {
  const { skEm, enc } = EXAMPLES[name];
  const { algorithm } = KEMS.find((kem) => kem.name === name);
  const curve = name === "x25519" ? { kty: "OKP", crv: "X25519", x: base64(enc) } : { kty: "EC", crv: "P-256", x: base64(enc.slice(2, 66)), y: base64(enc.slice(66)) };
  const load = (key, uses) => crypto.subtle.importKey("jwk", key, algorithm, true, uses);
  return { publicKey: await load(curve, []), privateKey: await load({ ...curve, d: base64(skEm) }, ["deriveBits"]) };
}
