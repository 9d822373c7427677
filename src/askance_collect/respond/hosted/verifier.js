// Opens one page, and only if what lies at its address is what was published, byte for byte. It is fetched
// once, judged by its SHA-256, and what was judged is written into this document: nothing is fetched again.
// The address of this page may name the page and its SHA-256 behind the #, as an invitation does: both must
// then be those that this page was made for.

import { button, buttons, element, foldOut, heading, paragraph, paragraphs } from "../browser/element.js";
import { WORDS_OF, wordsIn } from "../browser/words.js";

const PATIENCE = 30000;
const FROM_THE_RIGHT = /^[\u0590-\u08ff]/;

// Opened by whatever else: the one text that may become markup is the one that was judged.
const written = globalThis.trustedTypes?.createPolicy("verified", { createHTML: (text) => text });

// `published` is the page: its `address`, `sha256` and `size` in bytes, and whom to `tell`, in paragraphs.
export function verify(published) {
  const words = speak();
  let turn = 0;
  const check = async () => {
    const own = (turn += 1);
    present(heading(words.verifierWait));
    const { text, screen } = await judged(published, location.hash.slice(1));
    if (own !== turn) return;
    if (text === undefined) present(...SCREENS[screen.why](words, { ...published, ...screen }, check));
    else open(text);
  };
  document.getElementById("contact").replaceChildren(element("h2", {}, words.verifierTell), ...paragraphs(published.tell));
  window.addEventListener("hashchange", check);
  return check();
}

// The page's text, if it is the one; or else why it is not opened.
async function judged({ address, sha256, size }, fragment) {
  const asked = new URLSearchParams(fragment);
  const isOther = (name, own) => (asked.get(name) ?? own) !== own;
  if (!globalThis.crypto?.subtle || window.top !== window) return { screen: { why: "here" } };
  if (isOther("page", address) || isOther("sha256", sha256)) return { screen: { why: "link" } };
  try {
    const bytes = await fetched(address, size);
    const found = await digest(bytes);
    if (found === sha256) return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
    return { screen: { why: "other", found: bytes.length > size ? `> ${size} B` : found } };
  } catch {
    return { screen: { why: "away" } };
  }
}

// What lies there, but never much more than the page has. A page that sends on to another place is not there.
async function fetched(address, size) {
  const reply = await fetch(address, {
    cache: "no-store",
    credentials: "omit",
    redirect: "error",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout?.(PATIENCE),
  });
  const bytes = new Uint8Array(size + 1);
  const stream = reply.body.getReader();
  let length = 0;
  while (length <= size) {
    const { done, value } = await stream.read();
    if (done) return bytes.subarray(0, length);
    bytes.set(value.subarray(0, size + 1 - length), length);
    length += value.length;
  }
  stream.cancel().catch(() => {});
  return bytes;
}

async function digest(bytes) {
  const found = await crypto.subtle.digest("SHA-256", bytes);
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// From here on this is the page that was published, at this address: its own policy comes before its script,
// beside the one of this page, which lets no other script run.
function open(text) {
  document.open();
  document.write(written?.createHTML(text) ?? text);
  document.close();
}

const SCREENS = {
  other: (words, { address, sha256, found }) => [
    heading(words.verifierOther),
    paragraph(words.verifierOtherHint(apart(address))),
    foldOut(
      words.verifierNumbers,
      paragraph(words.verifierPublished, "hint"),
      code(sha256),
      paragraph(words.verifierFound, "hint"),
      code(found),
    ),
  ],
  away: (words, { address }, check) => [
    heading(words.verifierAway),
    paragraph(words.verifierAwayHint(apart(address))),
    buttons(button(words.tryAgain, check, "main")),
  ],
  link: (words, { address }) => [heading(words.verifierLink), paragraph(words.verifierLinkHint(apart(address)))],
  here: (words) => [heading(words.verifierHere), paragraph(words.verifierHereHint)],
};

// Set apart by Unicode's isolates: an address runs from the left in every sentence.
const apart = (said) => `\u2066${said}\u2069`;

const code = (text) => element("p", { className: "code", translate: false }, text);

// The browser's languages choose among all that this page has words of.
function speak() {
  const short = (tag) => tag.split("-")[0];
  const tags = Object.keys(WORDS_OF);
  const found = navigator.languages.map((tag) => tags.find((one) => short(one) === short(tag))).find(Boolean) ?? "en";
  const words = wordsIn(WORDS_OF[found], found, String, Number);
  Object.assign(document.documentElement, { lang: found, dir: FROM_THE_RIGHT.test(words.verifierWait) ? "rtl" : "ltr" });
  return words;
}

function present(...nodes) {
  const main = document.getElementById("main");
  main.replaceChildren(...nodes);
  main.querySelector("h1").focus({ preventScroll: true });
}
