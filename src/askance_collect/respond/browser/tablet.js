// A device that an interviewer carries and hands from one person to the next, with or without a network. A
// visit is in memory alone, and is never kept. What is kept, in the browser's database, is its report, under
// the random number that it has anyway: no time, no order, nothing of who it is from. It is erased when the
// collector has acknowledged it. A page whose survey is for no tablet goes without this module.

import { canonical } from "./askance.js";
import { isComplete, openDraft } from "./draft.js";
import { button, buttons, element, foldOut, heading, paragraph, partOf } from "./element.js";
import { save } from "./endings.js";
import { assert } from "./form.js";
import { register } from "./hooks.js";
import { checkThisPage } from "./screens.js";
import { destination, post, sha256 } from "./send.js";
import { openVisit } from "./visit.js";

// Sent unasked only with as many others: when a single report arrives can tell whose it is.
const TOGETHER = 10;
// After these no other report would be taken either, for the moment.
const PAUSES = ["unreachable", "blocked", "busy", "disk-full", "read-only", "disk-error"];

// Schema: tablet
const TABLET = { tablet: true };

/**
 * Nothing of it may need a network, or a device of one's own.
 *
 * @param {Form} form
 */
function validateTablet({ later, quotas, tokens, open, ending }) {
  const excluded = [later, quotas, tokens, open, ending?.url, ending?.within];
  assert(excluded.every((part) => part === undefined), "tablet");
}

// The page's folder: each has a database of its own, which outlives a change of the survey.
const databaseName = () => `askance-tablet:${new URL(".", location.href).pathname}`;

/**
 * @param {IDBRequest} request
 * @returns {Promise<any>}
 */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * One step of the database, done when it is on the disk.
 *
 * @param {IDBTransactionMode} mode
 * @param {(reports: IDBObjectStore, sending: IDBObjectStore) => IDBRequest[]} work
 * @returns {Promise<any[]>}
 */
async function step(mode, work) {
  const request = indexedDB.open(databaseName(), 1);
  request.onupgradeneeded = () => ["reports", "sending"].forEach((name) => request.result.createObjectStore(name));
  const database = await settled(request);
  try {
    const whole = database.transaction(["reports", "sending"], mode, { durability: "strict" });
    const done = new Promise((resolve, reject) => {
      whole.oncomplete = resolve;
      whole.onabort = () => reject(whole.error);
    });
    const requests = work(whole.objectStore("reports"), whole.objectStore("sending"));
    await done;
    return requests.map(({ result }) => result);
  } finally {
    database.close();
  }
}

/**
 * Keep a report, and write all that waits anew, by their random numbers: the order in which a database has written
 * its entries stays in its files.
 *
 * @param {string} id
 * @param {string} body
 */
const putIn = (id, body) =>
  step("readwrite", (reports) => {
    const [keys, bodies] = [reports.getAllKeys(), reports.getAll()];
    bodies.onsuccess = () => {
      const others = keys.result.map((key, index) => ({ key, value: bodies.result[index] })).filter(({ key }) => key !== id);
      const all = [...others, { key: id, value: body }].sort((a, b) => indexedDB.cmp(a.key, b.key));
      try {
        for (const { key, value } of all) reports.put(value, key);
      } catch {
        reports.transaction.abort();
      }
    };
    return [keys];
  });

/** @param {string} id */
const takeOut = (id) => step("readwrite", (reports) => [reports.delete(id)]);

/**
 * That a sending has begun, or is over: whoever finds it begun knows that it was broken off. A device without
 * room for that sends all the same, and has room then.
 *
 * @param {boolean} begun
 */
const mark = (begun) => step("readwrite", (_, sending) => [begun ? sending.put(true, 0) : sending.delete(0)]).catch(() => {});

/**
 * What waits, in the order of the random numbers, which is nobody's; what of it may not be sent from here,
 * because it is damaged or answers another form; and whether a sending was broken off.
 *
 * @param {Pick<Visit, "form" | "fingerprint">} visit
 * @returns {Promise<{ all: { id: string, body: string }[], fit: { id: string, body: string }[], begun: unknown }>}
 */
async function waiting({ form, fingerprint }) {
  const [ids, bodies, begun] = await step("readonly", (reports, sending) => [reports.getAllKeys(), reports.getAll(), sending.get(0)]);
  /** @type {{ id: string, body: string }[]} */
  const all = ids.map((/** @type {string} */ id, /** @type {number} */ index) => ({ id, body: bodies[index] }));
  const fit = all.filter(({ id, body }) => isUnhurt(id, body, form, fingerprint));
  return { all, fit, begun };
}

/**
 * @param {string} id
 * @param {string} body
 * @param {Form} form
 * @param {string} fingerprint
 */
function isUnhurt(id, body, { questions, size }, fingerprint) {
  try {
    const { answers, form, id: own } = JSON.parse(body);
    const values = questions.map(({ name }) => answers[name]);
    const isSpelt = canonical({ answers, form, id: own }).padEnd(size) === body && body.length === size;
    const isOurs = own === id && form === fingerprint && Object.keys(answers).length === questions.length;
    return isSpelt && isOurs && isComplete(questions, { id, values });
  } catch {
    return false;
  }
}

/**
 * Hand in what waits, one after the other: what has its receipt is erased at once, all else stays.
 *
 * @param {Visit} visit
 * @param {(arrived: number) => void} tell
 */
async function sendAll(visit, tell) {
  const { form } = visit;
  const { fit } = await waiting(visit);
  /** @type {{ arrived: number, refused: Record<string, number>, stopped: boolean }} */
  const outcome = { arrived: 0, refused: {}, stopped: false };
  await mark(true);
  for (const { id, body } of fit) {
    const { id: taken, code = "" } = await post(destination(form, location.href), body, id);
    if (taken) {
      await takeOut(id);
      tell((outcome.arrived += 1));
    } else if (PAUSES.includes(code)) {
      outcome.stopped = true;
      break;
    } else outcome.refused[code] = (outcome.refused[code] ?? 0) + 1;
  }
  await mark(false);
  return outcome;
}

// What the browser says of the device, for the page as a whole and for no visit: it may never answer. A screen hears
// of it while it is shown.
const device = Object.assign(new EventTarget(), { readiness: (/** @type {Words} */ words) => words.tabletUnready, isLasting: true });

/** @param {{ readiness?: (words: Words) => string, isLasting?: boolean }} change */
function learn(change) {
  Object.assign(device, change);
  device.dispatchEvent(new Event("change"));
}

const prepareDevice = onlyOnce(() => {
  keepPage();
  keepReports();
});

/** @param {() => void} work */
function onlyOnce(work) {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

// The page for when there is no network: kept by a worker, which the page's policy lets run by this one name.
// Then, once for all visits: whether another page lies at this address now.
async function keepPage() {
  try {
    const rule = { createScriptURL: () => "worker.js" };
    const name = globalThis.trustedTypes?.createPolicy("tablet", rule).createScriptURL("") ?? "worker.js";
    const registration = await navigator.serviceWorker.register(name);
    await navigator.serviceWorker.ready;
    learn({ readiness: (words) => words.tabletReady });
    const { installing, waiting: next } = await registration.update();
    if (installing ?? next) learn({ readiness: (words) => words.tabletChanged });
  } catch {
    // no worker here, or no network to ask for another one
  }
}

// Whether the browser promises to erase nothing of what waits.
async function keepReports() {
  try {
    learn({ isLasting: await navigator.storage.persist() });
  } catch {
    learn({ isLasting: false });
  }
}

function line() {
  const made = paragraph("", "hint");
  made.setAttribute("role", "status");
  return made;
}

// Between two people: what waits, and no more of it than how many. `shown` are the nodes that change, as they were
// rendered last: a sending goes on while another language is chosen.
function interviewerScreen() {
  const outcome = element("div", {});
  outcome.setAttribute("role", "status");
  /** @type {Record<string, any>} */
  const shown = { outcome };
  /** @type {AbortController} */
  let controller;
  return {
    /** @param {Visit} visit */
    render(visit) {
      controller = new AbortController();
      return renderInterviewer(visit, shown, controller);
    },
    dispose: () => controller.abort(),
  };
}

/**
 * @param {Visit} visit
 * @param {any} shown
 * @param {AbortController} controller
 */
function renderInterviewer(visit, shown, controller) {
  const { form, fingerprint, speech } = visit;
  const { words } = speech;
  const controls = {
    hand: button(words.tabletHand, () => visit.turnTo(handScreen), "main"),
    send: button(words.tabletSend, () => sendWaiting(visit, shown)),
    file: button(words.tabletSave, () => saveWaiting(visit, shown)),
  };
  for (const control of Object.values(controls)) control.hidden = true;
  Object.assign(shown, controls, { number: element("h2", {}, words.wait), unfit: line(), few: line() });
  setBusy(shown, visit.state.isSending);
  whenOnline(visit, shown, controller);
  count(visit, shown, words.tabletStopped);
  return [
    heading(words.tabletHead),
    paragraph(speech.text(form.title)),
    shown.number,
    shown.outcome,
    shown.unfit,
    shown.few,
    buttons(controls.send, controls.file, controls.hand),
    ...deviceLines(words, controller),
    checkThisPage(fingerprint, speech),
  ];
}

/**
 * Whether the page is there without a network, and what waits may stay; said anew as soon as it changes.
 *
 * @param {Words} words
 * @param {AbortController} controller
 */
function deviceLines(words, controller) {
  const [page, room] = [line(), line()];
  const tell = () => {
    page.textContent = device.readiness(words);
    room.textContent = device.isLasting ? "" : words.tabletRoom;
  };
  device.addEventListener("change", tell, controller);
  prepareDevice();
  tell();
  return [page, room];
}

/**
 * @param {any} shown
 * @param {boolean} isBusy
 */
const setBusy = ({ hand, file }, isBusy) => [hand, file].forEach((control) => (control.disabled = isBusy));

/**
 * Tell how much waits; where nothing can be kept, nobody is asked.
 *
 * @param {Visit} visit
 * @param {any} shown
 * @param {string} [halfway]
 */
async function count(visit, shown, halfway) {
  const { words } = visit.speech;
  try {
    const { all, fit, begun } = await waiting(visit);
    const { hand, send, file, number, unfit, few, outcome } = shown;
    const unfitCount = all.length - fit.length;
    number.textContent = words.tabletWaiting(fit.length);
    unfit.textContent = unfitCount > 0 ? words.tabletUnfit(unfitCount) : "";
    few.textContent = fit.length > 0 && fit.length < TOGETHER ? words.tabletFew : "";
    if (begun && halfway && !visit.state.isSending) outcome.replaceChildren(paragraph(halfway));
    hand.hidden = false;
    send.hidden = fit.length === 0;
    file.hidden = all.length === 0;
    visit.dispatch({ type: "update", change: { waiting: fit.length } });
  } catch {
    shown.number.textContent = words.tabletNever;
  }
}

/**
 * Whoever finds a network again sends, if enough waits, and nobody has the device.
 *
 * @param {Visit} visit
 * @param {any} shown
 * @param {AbortController} controller
 */
function whenOnline(visit, shown, controller) {
  window.addEventListener("online", () => (visit.state.waiting ?? 0) >= TOGETHER && sendWaiting(visit, shown), controller);
}

/**
 * One sending at a time, of all windows of this page.
 *
 * @param {Visit} visit
 * @param {any} shown
 */
async function sendWaiting(visit, shown) {
  if (visit.state.isSending) return;
  const { words } = visit.speech;
  /** @param {...string} lines */
  const tell = (...lines) => shown.outcome.replaceChildren(...lines.map((text) => paragraph(text)));
  visit.dispatch({ type: "send" });
  setBusy(shown, true);
  tell(words.sending);
  try {
    const work = () => sendAll(visit, (arrived) => tell(words.tabletSent(arrived)));
    const { arrived, refused, stopped } = await navigator.locks.request(databaseName(), work);
    const why = Object.entries(refused).map(([code, many]) => words.tabletRefused(code, many));
    tell(words.tabletSent(arrived), ...(stopped ? [words.tabletStopped] : []), ...why);
  } catch {
    tell(words.tabletStopped);
  }
  visit.dispatch({ type: "update", change: { isSending: false } });
  setBusy(shown, false);
  await count(visit, shown);
}

/**
 * A line for each report, as it would be sent: for a device that finds no network, or whose reports are
 * refused.
 *
 * @param {Visit} visit
 * @param {any} shown
 */
async function saveWaiting(visit, { outcome }) {
  const { all } = await waiting(visit);
  save("reports.askance", all.map(({ body }) => body).join("\n"));
  outcome.replaceChildren(paragraph(visit.speech.words.tabletSaved));
}

/**
 * "Leave now" is the respondent's.
 *
 * @param {Visit} visit
 */
function showWayOut({ state: { aside, ending } }) {
  partOf("bar").querySelector(".leave").hidden = ending !== undefined || aside !== undefined;
}

/** @param {Visit} visit */
const toInterviewer = (visit) => visit.turnTo(interviewerScreen());

const handScreen = {
  back: toInterviewer,
  /** @param {Visit} visit */
  render: (visit) => [
    heading(visit.speech.words.tabletGive),
    paragraph(visit.speech.words.tabletGiveHint),
    buttons(
      button(visit.speech.words.back, () => toInterviewer(visit)),
      button(visit.speech.words.tabletMine, () => visit.turnTo(undefined), "main"),
    ),
  ],
};

/**
 * The respondent's last screen: to be handed back as it is.
 *
 * @param {Visit} visit
 * @param {string} title
 * @param {string} hint
 * @param {...HTMLElement} nodes
 */
function lastScreen(visit, title, hint, ...nodes) {
  return [heading(title), paragraph(hint), ...nodes, buttons(button(visit.speech.words.tabletBack, () => openNext(visit), "main"))];
}

/** @type {PageScreen} */
const leftScreen = { render: (visit) => lastScreen(visit, visit.speech.words.tabletLeft, visit.speech.words.tabletLeftHint) };

/** @param {Visit} visit */
const memoryDraft = ({ form, fingerprint }) => openDraft(form, fingerprint, () => undefined);

/**
 * The next person is nobody who was here before: of the last visit nothing is within reach.
 *
 * @param {Visit} visit
 */
function openNext(visit) {
  const { form, fingerprint } = visit;
  visit.dispose();
  openVisit(form, fingerprint, memoryDraft(visit));
}

/** @param {Visit} visit */
function leave(visit) {
  visit.forget();
  visit.draft = memoryDraft(visit);
  visit.turnTo(leftScreen);
}

/**
 * What the page says of one's own device, it says of this one.
 *
 * @type {Wrapper<"renderHeader">}
 */
const renderTabletHeader = (next) => (bar, visit) => {
  next(bar, visit);
  const { words } = visit.speech;
  Object.assign(words, {
    nothingYet: words.tabletNothing,
    leaveHint: words.tabletLeave,
    cardTold: words.tabletTold,
    cardWrong: words.tabletWrong,
    unreachable: words.tabletUnkept,
    frozen: words.tabletFrozen,
  });
  bar.querySelector(".leave")?.replaceWith(button(words.leave, () => visit.state.isSending || leave(visit), "leave"));
};

/** @param {Visit} visit */
function prepareTablet(visit) {
  visit.draft = memoryDraft(visit);
  visit.dispatch({ type: "update", change: { aside: interviewerScreen(), ending: undefined } });
  visit.post = async (_, body, id) => {
    try {
      await putIn(id, body);
    } catch {
      return { code: "unreachable" };
    }
    return { id, digest: await sha256(body) };
  };
}

/**
 * @param {HTMLElement[]} nodes
 * @param {Visit} visit
 */
function endTablet(nodes, visit) {
  const { words } = visit.speech;
  const { receipt } = visit.state;
  if (!receipt) return nodes;
  const facts = [
    [words.receiptId, receipt.id],
    [words.receiptDigest, receipt.digest],
  ];
  const rows = facts.map(([fact, value]) => element("div", {}, element("dt", {}, fact), element("dd", { className: "code", translate: false }, value)));
  const kept = foldOut(words.receipt, element("dl", { className: "receipt" }, ...rows), paragraph(words.withdraw));
  return lastScreen(visit, words.tabletDone, words.tabletDoneHint, kept);
}

register({
  name: "tablet",
  shapes: TABLET,
  validate: validateTablet,
  wrap: {
    /** @param {any} next */
    openVisit: (next) => (visit) => {
      prepareTablet(visit);
      next(visit);
    },
    renderHeader: renderTabletHeader,
    /** @param {any} next */
    updateHeader: (next) => (visit) => {
      next(visit);
      showWayOut(visit);
    },
    /** @param {any} next */
    renderEnding: (next) => (nodes, name, visit) => next(endTablet(nodes, visit), name, visit),
  },
});
