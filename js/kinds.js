// Every kind of question that a page can have.

import "./choices.js";
import "../src/askance/respond/browser/cuts.js";
import "../src/askance/respond/browser/exact.js";
import "../src/askance/respond/browser/narrow.js";
import "../src/askance/respond/browser/number.js";
import "../src/askance/respond/browser/pictures.js";
import "../src/askance/respond/browser/texts.js";
import "../src/askance/respond/browser/ticks.js";
import "../src/askance/respond/browser/tongue.js";
import "../src/askance/respond/browser/typed.js";
import "../src/askance/respond/browser/whole.js";
