// What is sealed for the study: a report, so that the page around and whoever keeps its table cannot read it, or a
// text (sealed.js). HPKE (RFC 9180), base mode, one message; DHKEM(X25519) or where the browser has none
// DHKEM(P-256), each with HKDF-SHA256, and AES-128-GCM. Form and question are bound by `info`. The twin of
// askance/engines/sealed.py.

import { register } from "./hooks.js";

const VERSION = "askance-seal-1";
/** @type {Kem[]} */
export const KEMS = [
  { name: "x25519", id: 0x20, from: 0, to: 32, algorithm: { name: "X25519" } },
  { name: "p256", id: 0x10, from: 32, to: 97, algorithm: { name: "ECDH", namedCurve: "P-256" } },
];
const NOTHING = new Uint8Array(32);

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);
/** @param {...Iterable<number>} parts */
const spliced = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/**
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} data
 */
async function hmacOf(key, data) {
  const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, data));
}

/**
 * LabeledExtract and LabeledExpand of section 4. No salt is as good as 32 zeros; one block of HKDF will do.
 *
 * @param {Iterable<number>} suite
 * @param {Uint8Array<ArrayBuffer>} salt
 * @param {string} label
 * @param {Iterable<number>} from
 */
const extracted = (suite, salt, label, from) => hmacOf(salt, spliced(utf8("HPKE-v1"), suite, utf8(label), from));
/**
 * @param {Iterable<number>} suite
 * @param {Uint8Array<ArrayBuffer>} secret
 * @param {string} label
 * @param {Iterable<number>} info
 * @param {number} length
 */
const expanded = async (suite, secret, label, info, length) =>
  (await hmacOf(secret, spliced([0, length], utf8("HPKE-v1"), suite, utf8(label), info, [1]))).slice(0, length);

/**
 * Section 4.1: a secret that the key's holder can make again from what goes along.
 *
 * @param {Kem} kem
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {any} pair
 */
async function encapsulated({ id, algorithm }, key, { publicKey, privateKey }) {
  const to = await crypto.subtle.importKey("raw", key, algorithm, false, []);
  const along = new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
  const agreed = new Uint8Array(await crypto.subtle.deriveBits({ name: algorithm.name, public: to }, privateKey, 256));
  const suite = spliced(utf8("KEM"), [0, id]);
  const drawn = await extracted(suite, NOTHING, "eae_prk", agreed);
  return [along, await expanded(suite, drawn, "shared_secret", spliced(along, key), 32)];
}

/**
 * Sections 5.1 and 6.1: what goes along, then the ciphertext.
 *
 * @param {Kem} kem
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} info
 * @param {Uint8Array<ArrayBuffer>} text
 * @param {Uint8Array<ArrayBuffer>} [aad]
 * @param {any} [pair]
 */
export async function hpkeSealed(kem, key, info, text, aad = new Uint8Array(), pair = drawnPair(kem)) {
  const [along, shared] = await encapsulated(kem, key, await pair);
  const suite = spliced(utf8("HPKE"), [0, kem.id, 0, 1, 0, 1]);
  const none = await extracted(suite, NOTHING, "psk_id_hash", []);
  const context = spliced([0], none, await extracted(suite, NOTHING, "info_hash", info));
  const secret = await extracted(suite, shared, "secret", []);
  const raw = await expanded(suite, secret, "key", context, 16);
  const iv = await expanded(suite, secret, "base_nonce", context, 12);
  const made = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt"]);
  /** @param {string} body */
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: aad }, made, text);
  return spliced(along, new Uint8Array(sealed));
}

/** @param {Kem} kem */
const drawnPair = ({ algorithm }) => crypto.subtle.generateKey(algorithm, false, ["deriveBits"]);

/** @param {Uint8Array} raw */
export const spelt64 = (raw) => btoa([...raw].map((byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
/** @param {string} text */
export const read64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/**
 * For a key, what seals bytes of one question of a form into a text that begins with a version; null in a browser
 * that cannot. It is made before anything is asked, so that nobody answers what could not be sealed.
 *
 * @param {string} seal
 * @param {string} version
 * @param {string} fingerprint
 * @param {string} question
 * @returns {Promise<((bytes: Uint8Array<ArrayBuffer>) => Promise<string>) | null>}
 */
export async function sealerFor(seal, version, fingerprint, question) {
  const info = utf8(`${version}\0${fingerprint}\0${question}`);
  const keys = read64(seal);
  for (const kem of KEMS) {
    const key = keys.slice(kem.from, kem.to);
    /** @param {Uint8Array<ArrayBuffer>} bytes */
    const sealed = async (bytes) => `${version}.${kem.name}.${spelt64(await hpkeSealed(kem, key, info, bytes))}`;
    try {
      await sealed(new Uint8Array());
      return sealed;
    } catch {
      // the browser has not this curve
    }
  }
  return null;
}

/** @type {Hooks["createSealer"]} */
async function sealerOf({ seal }, fingerprint, question) {
  const sealed = await sealerFor(seal, VERSION, fingerprint, question);
  return sealed && ((body) => sealed(utf8(body)));
}

register({ name: "hpke", detect: () => false, wrap: { createSealer: () => sealerOf } });
