// What touches the network: one question when the page is opened, the same from everyone, and one POST
// of one fixed-size body.

const PATIENCE = 30000;

/**
 * Where the report goes: the page's own folder, or the collector that the form names.
 *
 * @param {Form} form
 * @param {string} page
 */
export function destination(form, page) {
  return new URL("report", form.collector || page);
}

/**
 * Whether an address keeps what is sent from being read on the way.
 *
 * @param {any} parts
 */
export function isPrivate({ protocol, hostname }) {
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && here);
}

/**
 * Post the body, with what its form wants beside it; answer with the acknowledgement, or with the code of
 * what went wrong.
 *
 * @param {URL | string} url
 * @param {string} body
 * @param {string} id
 * @param {string} [stamp]
 */
export async function post(url, body, id, stamp = "") {
  try {
    const reply = await request(url, { method: "POST", body: body + stamp, headers: { "Content-Type": "text/plain" } });
    const content = await spoken(reply);
    if (!reply.ok) return { code: String(content?.error?.code ?? (reply.status === 429 ? "busy" : "blocked")) };
    const digest = await sha256(body);
    const genuine = content?.accepted === true && content.id === id && content.digest === digest;
    return genuine ? { id, digest, page: String(content.page) } : { code: "blocked" };
  } catch {
    return { code: "unreachable" };
  }
}

/**
 * What the collector says of this survey before it is begun: "open", "closed", "replaced" by another
 * form or "unknown", also where something else answers; "silent" where it does not say. What stands in
 * between, such as a proxy whose collector is down, has no say.
 *
 * @param {URL | string} url
 * @param {string} fingerprint
 */
export async function askStatus(url, fingerprint) {
  try {
    const reply = await request(url, {});
    const content = await spoken(reply);
    return { status: surveyStatus(reply, content, fingerprint), full: content?.full };
  } catch {
    return { status: "silent" };
  }
}

/**
 * @param {any} reply
 * @param {any} content
 * @param {string} fingerprint
 */
function surveyStatus(reply, content, fingerprint) {
  if (content ? content.error?.code === "not-found" : reply.status < 408) return "unknown";
  if (!reply.ok || typeof content?.open !== "boolean") return "silent";
  if (content.form !== fingerprint) return "replaced";
  return content.open ? "open" : "closed";
}

/**
 * What a collector says; nothing, where somebody else answers or sends elsewhere.
 *
 * @param {any} reply
 */
const spoken = (reply) => reply.json().catch(() => null);

/**
 * @param {URL | string} url
 * @param {any} what
 */
export const request = (url, what) =>
  fetch(url, {
    ...what,
    credentials: "omit",
    cache: "no-store",
    redirect: "manual",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout?.(PATIENCE),
  });

/** @param {string} text */
export async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
