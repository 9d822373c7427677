// One report from each invited person, unlinkably: the code of an invitation is exchanged for a blind
// signature (RFC 9474, RSABSSA-SHA384-PSS-Randomized) before the first question, and the token that this
// page makes of it goes out behind the report. Whoever signs sees a number that is uniform whatever the
// token is. The twin of askance_collect/respond/blinding.py. A page whose form wants no tokens goes without this
// module.

import { systemBytes } from "./askance.js";
import { codeIn, codeInput, LETTERS } from "./codes.js";
import { clearOnInput, complaintLine, showComplaint } from "./controls.js";
import { button, buttons, element, heading, paragraph } from "./element.js";
import { allDistinct, areNamed, assert, matches, NAME } from "./form.js";
import { register } from "./hooks.js";
import { only } from "./objects.js";
import { request } from "./send.js";

const EXPONENT = 65537n;
const LENGTHS = [2048, 3072, 4096];
const SIGNS = 16;
const PREFIXED = 32;
const SALTED = 48;
const HASHED = 48;
const BASE64 = /^[\w-]+$/;
// Schema: tokens
const TOKENS = { tokens: only({ issuer: /^(https:\/\/|http:\/\/(?=(localhost|127\.0\.0\.1)[:/]))([a-z0-9.-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?\/([\w.~-]+\/)*$/, keys: [only({ name: NAME, n: /^[\w-]{342,683}$/, "codes?": [2, 1e9] }), 1, undefined, 32] }) };

/**
 * A token tells its key, and so that its sender is one of so many: a key of fewer than the form's minimum is
 * refused.
 *
 * @param {Form} form
 */
function validateTokens({ tokens: { issuer, keys }, collector, about: { minimum = 1 } }) {
  new URL(issuer); // throws where no code could be exchanged
  assert(issuer !== collector, "tokens.issuer");
  assert(areNamed(keys) && allDistinct(keys.map(({ n }) => n)) && keys.every(isKey), "tokens.keys");
  assert(keys.every(({ n }) => n.length === keys[0].n.length), "tokens.keys");
  const isCrowd = ({ codes = 0 }) => Number.isInteger(minimum) && codes > 0 && codes >= minimum;
  assert(keys.every(({ codes }) => codes === undefined) || keys.every(isCrowd), "tokens.keys.codes");
}

/** @param {TokenKey} key */
function isKey(key) {
  const modulus = modulusOf(key);
  return LENGTHS.includes(modulus.toString(2).length) && modulus % 2n === 1n && textOf(bytesFor(modulus, modulus)) === key.n;
}

/** @param {{ n: string }} key */
const modulusOf = ({ n }) => bigOf(bytesIn(n));

/** @param {Uint8Array<ArrayBuffer>} bytes */
const textOf = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** @param {string} text */
const bytesIn = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

/** @param {Uint8Array} bytes */
const bigOf = (bytes) => BigInt(`0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`);

/**
 * A number in as many bytes as a modulus has.
 *
 * @param {bigint} number
 * @param {bigint} modulus
 */
function bytesFor(number, modulus) {
  const digits = number.toString(16).padStart(Math.ceil(modulus.toString(16).length / 2) * 2, "0");
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/**
 * @param {bigint} base
 * @param {bigint} exponent
 * @param {bigint} modulus
 */
function powered(base, exponent, modulus) {
  let [power, square] = [1n, base];
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) power = (power * square) % modulus;
    square = (square * square) % modulus;
  }
  return power;
}

/**
 * By Euclid; undefined where there is none.
 *
 * @param {bigint} number
 * @param {bigint} modulus
 * @returns {bigint | undefined}
 */
function inverted(number, modulus) {
  let [a, b, x, y] = [modulus, number, 0n, 1n];
  while (b > 0n) {
    const times = a / b;
    [a, b, x, y] = [b, a - times * b, y, x - times * y];
  }
  return a === 1n ? ((x % modulus) + modulus) % modulus : undefined;
}

/** @param {...Iterable<number>} parts */
const chained = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** @param {...Iterable<number>} parts */
const hash = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-384", chained(...parts)));

/**
 * Stretch a seed (MGF1: RFC 8017, section B.2.1).
 *
 * @param {Uint8Array} seed
 * @param {number} length
 */
async function mask(seed, length) {
  const rounds = [...Array(Math.ceil(length / HASHED)).keys()];
  const pieces = await Promise.all(rounds.map((index) => hash(seed, [0, 0, 0, index])));
  return chained(...pieces).slice(0, length);
}

/**
 * A message encoded for signing, as a number: EMSA-PSS (RFC 8017, section 9.1.1).
 *
 * @param {Uint8Array} message
 * @param {Uint8Array} salt
 * @param {bigint} modulus
 */
async function padded(message, salt, modulus) {
  const block = new Uint8Array(bytesFor(0n, modulus).length - HASHED - 1);
  block[block.length - SALTED - 1] = 1;
  block.set(salt, block.length - SALTED);
  const hashed = await hash(new Uint8Array(8), await hash(message), salt);
  const over = await mask(hashed, block.length);
  block.forEach((byte, index) => (block[index] = byte ^ over[index]));
  block[0] &= 127;
  return bigOf(chained(block, hashed, [188]));
}

/**
 * What is signed: what was drawn for it, and the form by its fingerprint.
 *
 * @param {string} fingerprint
 * @param {Uint8Array} prefix
 */
const messageOf = (fingerprint, prefix) => chained(prefix, new TextEncoder().encode(`askance-token-1 ${fingerprint}`));

/**
 * What is drawn for one token, before anything is sent: a factor is drawn anew until it is below the
 * modulus and has an inverse.
 *
 * @param {bigint} modulus
 */
export function drawToken(modulus) {
  let factor;
  do factor = bigOf(systemBytes(bytesFor(0n, modulus).length));
  while (factor >= modulus || inverted(factor, modulus) === undefined);
  return { prefix: textOf(systemBytes(PREFIXED)), salt: textOf(systemBytes(SALTED)), factor: textOf(bytesFor(factor, modulus)) };
}

/**
 * The message, encoded, and what its issuer is shown of it (RFC 9474, sections 4.1 and 4.2).
 *
 * @param {TokenKey} key
 * @param {string} fingerprint
 * @param {any} drawn
 */
export async function blinded(key, fingerprint, { prefix, salt, factor }) {
  const modulus = modulusOf(key);
  const encoded = await padded(messageOf(fingerprint, bytesIn(prefix)), bytesIn(salt), modulus);
  const hidden = (encoded * powered(bigOf(bytesIn(factor)), EXPONENT, modulus)) % modulus;
  return { encoded, hidden: textOf(bytesFor(hidden, modulus)) };
}

/**
 * The token, of what was signed unseen (section 4.4); undefined where it is no signature of this key.
 *
 * @param {TokenKey} key
 * @param {number} index
 * @param {bigint} encoded
 * @param {any} signed
 * @param {any} drawn
 */
export function unblinded(key, index, encoded, signed, { prefix, factor }) {
  const modulus = modulusOf(key);
  if (!matches(signed, BASE64) || signed.length !== key.n.length) return undefined;
  const signature = (bigOf(bytesIn(signed)) * (inverted(bigOf(bytesIn(factor)), modulus) ?? 0n)) % modulus;
  if (powered(signature, EXPONENT, modulus) !== encoded) return undefined;
  return textOf(chained([index], bytesIn(prefix), bytesFor(signature, modulus)));
}

/**
 * What this tab has: a token, what waits for its signature, or nothing.
 *
 * @param {Visit} visit
 */
const tokenKey = ({ fingerprint }) => `askance-token:${fingerprint}`;

/** @param {Visit} visit */
function storedToken(visit) {
  try {
    return JSON.parse(sessionStorage.getItem(tokenKey(visit)) ?? "null") ?? visit.state.token;
  } catch {
    return visit.state.token;
  }
}

/**
 * @param {Visit} visit
 * @param {any} what
 */
function storeToken(visit, what) {
  visit.dispatch({ type: "update", change: { token: what } });
  try {
    if (what) sessionStorage.setItem(tokenKey(visit), JSON.stringify(what));
    else sessionStorage.removeItem(tokenKey(visit));
  } catch {
    // where nothing can be kept, memory is all there is
  }
}

/** @param {Visit} visit */
const tokenOf = (visit) => storedToken(visit)?.token ?? "";

/**
 * Exchange a code; what is wrong, in a word of the page's, or nothing. What was drawn is kept before it is
 * sent: an answer that is lost can be asked for again, and is the same.
 *
 * @param {Visit} visit
 * @param {string} code
 * @returns {Promise<string | undefined>}
 */
async function exchange(visit, code) {
  const { form, fingerprint, speech: { words } } = visit;
  const { issuer, keys } = form.tokens;
  const index = LETTERS.indexOf(code[0]);
  if (code.length !== SIGNS || !keys[index] || [...code].some((sign) => !LETTERS.includes(sign))) return words.invitationUnknown;
  const begun = storedToken(visit);
  const drawn = begun?.code === code ? begun.drawn : drawToken(modulusOf(keys[index]));
  storeToken(visit, { code, drawn });
  const { encoded, hidden } = await blinded(keys[index], fingerprint, drawn);
  try {
    const reply = await request(new URL("sign", issuer), {
      method: "POST",
      body: JSON.stringify({ blinded: hidden, code }),
      headers: { "Content-Type": "text/plain" },
    });
    const { signature, error } = await reply.json();
    if (error) return refusalText(error.code, words);
    const token = unblinded(keys[index], index, encoded, signature, drawn);
    if (!token) return words.invitationForged;
    storeToken(visit, { token });
    return undefined;
  } catch {
    return words.invitationFailed;
  }
}

/**
 * @param {string} code
 * @param {Words} words
 */
function refusalText(code, words) {
  if (code === "unknown") return words.invitationUnknown;
  if (code === "exchanged") return words.invitationUsed;
  return code === "wrong" ? words.invitationForged : words.invitationFailed;
}

// Behind the # of the address, which no server sees; it is taken out once it was of use.
function codeInAddress() {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}

function forgetCode() {
  const left = new URLSearchParams(location.hash.slice(1));
  left.delete("code");
  history.replaceState(history.state, "", `${location.pathname}${location.search}${String(left) && `#${left}`}`);
}

/**
 * Nobody comes to the first question without a token, but whoever has bound what they send already.
 *
 * @type {Wrapper<"redirectMove">}
 */
const exchangeFirst = (next) => (move, visit) => {
  if (move.step <= 0 || tokenOf(visit) || visit.draft.isBound()) return next(move, visit);
  return next({ type: "move", step: 0, by: 0, aside: exchangeScreen }, visit);
};

const exchangeScreen = { render: renderExchange };

/** @param {Visit} visit */
function renderExchange(visit) {
  const { form, speech: { words } } = visit;
  const input = codeInput();
  const complaint = complaintLine();
  const main = button(words.exchange, press, "main");
  const crowd = element("p", { role: "status" });
  input.value = storedToken(visit)?.code ?? codeInAddress();
  input.setAttribute("aria-describedby", complaint.id);
  clearOnInput(input, complaint);
  input.addEventListener("input", count);
  count();
  // Of which group a code is, and of how many people: its first sign says it, as every token will.
  function count() {
    const key = form.tokens.keys[LETTERS.indexOf(codeIn(input.value)[0])];
    crowd.textContent = !key ? "" : key.codes ? words.invitationCrowd(key.codes, key.name) : words.invitationUncounted;
  }
  async function press() {
    if (main.hasAttribute("aria-disabled")) return;
    main.setAttribute("aria-disabled", "true");
    const wrong = await exchange(visit, codeIn(input.value));
    main.removeAttribute("aria-disabled");
    if (!main.isConnected) return;
    if (wrong) {
      showComplaint(complaint, wrong, input);
      return;
    }
    forgetCode();
    visit.forward();
  }
  return [
    heading(words.invitation),
    paragraph(words.invitationHow),
    ...(form.tokens.keys.length > 1 ? [paragraph(words.invitationKeys(form.tokens.keys.length))] : []),
    element("label", { htmlFor: input.id }, words.invitation),
    input,
    crowd,
    complaint,
    buttons(button(words.back, () => visit.turnTo(undefined)), main),
  ];
}

/**
 * A visit that is put away takes its token along; one that is over leaves none.
 *
 * @param {Visit} visit
 */
function carryToken(visit) {
  const { state, resume } = visit.draft;
  visit.draft.state = () => {
    const now = state();
    return { ...now, kept: { ...now.kept, token: tokenOf(visit) } };
  };
  visit.draft.resume = ({ token, ...kept }) => {
    if (token) storeToken(visit, { token });
    resume(kept);
  };
}

register({
  name: "tokens",
  shapes: TOKENS,
  validate: validateTokens,
  wrap: {
    /** @param {any} next */
    openVisit: (next) => (visit) => {
      carryToken(visit);
      next(visit);
    },
    redirectMove: exchangeFirst,
    /** @param {any} next */
    renderEnding: (next) => (nodes, name, visit) => {
      storeToken(visit, undefined);
      return next(nodes, name, visit);
    },
    stamp: () => tokenOf,
  },
});
