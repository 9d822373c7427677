// What a frame seals by is HPKE: the examples of RFC 9180, appendices A.1.1 and A.3.1.

import assert from "node:assert/strict";
import { test } from "node:test";

import { KEMS, hpkeSealed } from "../../src/askance_collect/respond/browser/hpke.js";
import { EXAMPLES, pairOf } from "./pairs.mjs";

const raw = (hex) => new Uint8Array(Buffer.from(hex, "hex"));

for (const name of ["x25519", "p256"]) {
  test(`${name}: the standard's example, byte for byte`, async () => {
    const one = EXAMPLES[name];
    const kem = KEMS.find((other) => other.name === name);
    const sealed = await hpkeSealed(kem, raw(one.pkRm), raw(one.info), raw(one.pt), raw(one.aad), pairOf(name));
    assert.equal(Buffer.from(sealed).toString("hex"), one.enc + one.ct);
    const other = await hpkeSealed(kem, raw(one.pkRm), raw(`${one.info}00`), raw(one.pt), raw(one.aad), pairOf(name));
    assert.notEqual(Buffer.from(other).toString("hex"), one.enc + one.ct, "another info, another ciphertext");
  });
}
