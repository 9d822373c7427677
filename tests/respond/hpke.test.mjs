// What a frame seals by is HPKE: the examples of RFC 9180, appendices A.1.1 and A.3.1.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { KEMS, hpkeSealed } from "../../src/askance_collect/respond/browser/hpke.js";

const VECTORS = JSON.parse(readFileSync(new URL("../oracles/rfc9180.json", import.meta.url), "ascii"));
const raw = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const base64 = (hex) => Buffer.from(hex, "hex").toString("base64url");

// The sender's key pair of an example.
async function pairOf(name, { skEm, enc }) {
  const { algorithm } = KEMS.find((one) => one.name === name);
  const curve = name === "x25519" ? { kty: "OKP", crv: "X25519", x: base64(enc) } : { kty: "EC", crv: "P-256", x: base64(enc.slice(2, 66)), y: base64(enc.slice(66)) };
  const load = (key, uses) => crypto.subtle.importKey("jwk", key, algorithm, true, uses);
  return { publicKey: await load(curve, []), privateKey: await load({ ...curve, d: base64(skEm) }, ["deriveBits"]) };
}

for (const name of ["x25519", "p256"]) {
  test(`${name}: the standard's example, byte for byte`, async () => {
    const one = VECTORS[name];
    const kem = KEMS.find((other) => other.name === name);
    const sealed = await hpkeSealed(kem, raw(one.pkRm), raw(one.info), raw(one.pt), raw(one.aad), pairOf(name, one));
    assert.equal(Buffer.from(sealed).toString("hex"), one.enc + one.ct);
    const other = await hpkeSealed(kem, raw(one.pkRm), raw(`${one.info}00`), raw(one.pt), raw(one.aad), pairOf(name, one));
    assert.notEqual(Buffer.from(other).toString("hex"), one.enc + one.ct, "another info, another ciphertext");
  });
}
