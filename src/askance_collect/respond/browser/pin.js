// The page that was opened first stays: a worker keeps it and hands it out, whatever lies at its address
// later, until the visit has ended; and if another one lies there, this page says so. What it keeps it knows
// by numbers that stand in this page, so that no second answer can be kept in its place. A page whose survey
// does not want it goes without this module.

import { button, buttons, element, paragraph, partOf } from "./element.js";
import { assert } from "./form.js";
import { register } from "./hooks.js";
import { sha256 } from "./send.js";

// Two places of a page follow from its own number, and are left out of it: as in worker/pin.js.
const OWN = /\npin\(.[0-9a-f]{64}./;
const POLICY = /script-src .sha256-[\w+/=]{44}./;
const PURPOSE = "askance-pin";

let known = { page: "", worker: "" };

/**
 * This page's number, and that of the worker that may keep it: called by the page as it starts.
 *
 * @param {string} page
 * @param {string} worker
 */
export function pin(page, worker) {
  known = { page, worker };
}

// Schema: pin
const PIN = { pin: true };

/** @param {Form} form */
function validatePin({ tablet, ending }) {
  assert(tablet === undefined && ending?.within === undefined, "pin");
}

const workerName = () => `worker.js?${known.page}`;

/**
 * No credentials, so that no header of the reply can have the browser erase what is kept. Firefox erases it all
 * the same: whoever has it do so has changed what lies there.
 *
 * @param {string} name
 * @param {RequestCache} cache
 */
async function offered(name, cache) {
  const reply = await fetch(name, { cache, credentials: "omit", redirect: "error" });
  if (!reply.ok) throw new Error(name);
  return reply.text();
}

/** @param {string} text */
const isWorker = async (text) => (await sha256(text)) === known.worker;

/** @param {string} text */
const isThisPage = async (text) => (await sha256(text.replace(OWN, "\npin(").replace(POLICY, "script-src"))) === known.page;

// "kept" or "changed"; nothing where this page is kept by no worker, as when a verifier opened it. The worker
// is looked at before it is let in, and then comes from the same place: the browser's own copy.
async function keptPage() {
  const workers = navigator.serviceWorker;
  if (workers.controller?.scriptURL === new URL(workerName(), location.href).href) {
    return (await isOffered()) && (await workers.getRegistration()) ? "kept" : "changed";
  }
  if (!(await isWorker(await offered(workerName(), "default")))) return undefined;
  const rule = { createScriptURL: workerName };
  const name = globalThis.trustedTypes?.createPolicy("pin", rule).createScriptURL("") ?? workerName();
  await workers.register(name, { updateViaCache: "all" });
  await workers.ready;
  return "kept";
}

// Whether what lies there now is still the same; without a network nothing is known.
async function isOffered() {
  try {
    const [page, worker] = await Promise.all([offered("./", "no-store"), offered(workerName(), "no-store")]);
    return (await isThisPage(page)) && (await isWorker(worker));
  } catch {
    return true;
  }
}

// Nothing of it stays on the device.
async function dropPin() {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration?.active?.scriptURL.endsWith(workerName())) return;
  await registration.unregister();
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(`${PURPOSE}:`) && name.endsWith(known.page)).map((name) => caches.delete(name)));
}

async function openNew() {
  await dropPin();
  location.reload();
}

/** @param {Visit} visit */
function tellKept({ state, speech: { words } }) {
  partOf("pinned")?.remove();
  if (state.pin === "kept") partOf("main").after(element("p", { id: "pinned", className: "hint" }, words.pinKept));
  if (state.pin !== "changed") return;
  const alarm = element("section", { id: "pinned", className: "alarm" }, paragraph(words.pinChanged), buttons(button(words.pinNew, openNew)));
  alarm.setAttribute("role", "alert");
  partOf("main").before(alarm);
}

/** @param {Visit} visit */
async function look(visit) {
  if (visit.draft.ending()) return;
  const kept = await keptPage().catch(() => undefined);
  if (visit.isOver()) return;
  visit.dispatch({ type: "update", change: { pin: kept } });
  tellKept(visit);
}

/** @param {Visit} visit */
function unpin(visit) {
  if (visit.state.pin !== "kept") return;
  visit.dispatch({ type: "update", change: { pin: undefined } });
  tellKept(visit);
  dropPin().catch(() => {});
}

register({
  name: "pin",
  shapes: PIN,
  validate: validatePin,
  wrap: {
    /** @param {any} next */
    openVisit: (next) => (visit) => {
      next(visit);
      look(visit);
    },
    /** @param {any} next */
    renderHeader: (next) => (bar, visit) => {
      next(bar, visit);
      tellKept(visit);
    },
    /** @param {any} next */
    renderEnding: (next) => (nodes, name, visit) => {
      unpin(visit);
      return next(nodes, name, visit);
    },
  },
});
