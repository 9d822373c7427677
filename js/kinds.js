// Every kind of question that a page can have.

import "./choices.js";
import "../src/askance_collect/respond/browser/cuts.js";
import "../src/askance_collect/respond/browser/exact.js";
import "../src/askance_collect/respond/browser/narrow.js";
import "../src/askance_collect/respond/browser/number.js";
import "../src/askance_collect/respond/browser/pictures.js";
import "../src/askance_collect/respond/browser/texts.js";
import "../src/askance_collect/respond/browser/ticks.js";
import "../src/askance_collect/respond/browser/tongue.js";
import "../src/askance_collect/respond/browser/typed.js";
import "../src/askance_collect/respond/browser/whole.js";
