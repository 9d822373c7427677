// What this page makes of a code and what @cloudflare/blindrsa-ts makes: each signs, finishes and verifies
// what the other has begun. Prints what the library has finished, for the collector to read.

import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
const { RSABSSA } = await import("@cloudflare/blindrsa-ts");
const { blinded, drawToken, unblinded } = await import("../../src/askance_collect/respond/browser/tokens.js");

const suite = RSABSSA.SHA384.PSS.Randomized({ supportsRSARAW: false });
const { publicKey, privateKey } = await suite.generateKey({ modulusLength: 2048, publicExponent: Uint8Array.from([1, 0, 1]) });
const { n } = await crypto.subtle.exportKey("jwk", publicKey);
const key = { name: "all", n };
const bytes = (text) => Uint8Array.from(Buffer.from(text, "base64url"));
const text = (raw) => Buffer.from(raw).toString("base64url");
const fingerprint = "ab".repeat(32);
const context = new TextEncoder().encode(`askance-token-1 ${fingerprint}`);

// Begun here, signed there.
const drawn = drawToken(BigInt(`0x${Buffer.from(n, "base64url").toString("hex")}`));
const { encoded, hidden } = await blinded(key, fingerprint, drawn);
const signed = await suite.blindSign(privateKey, bytes(hidden));
const token = bytes(unblinded(key, 0, encoded, text(signed), drawn));
const message = Uint8Array.from([...bytes(drawn.prefix), ...context]);
const verified = await suite.verify(publicKey, token.slice(33), message);
const other = await suite.verify(publicKey, token.slice(33), context);

// Begun there, to be signed and finished there, and read by the collector.
const prepared = suite.prepare(context);
const { blindedMsg, inv } = await suite.blind(publicKey, prepared);
const finished = await suite.finalize(publicKey, prepared, await suite.blindSign(privateKey, blindedMsg), inv);
const theirs = text(Uint8Array.from([0, ...prepared.slice(0, 32), ...finished]));

console.log(JSON.stringify({ verified, other, n, ours: text(token), theirs }));
