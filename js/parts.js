// Every part of a form that is of the page around its questions.

import "../src/askance/respond/browser/comments.js";
import "../src/askance/respond/browser/later.js";
import "../src/askance/respond/browser/lists.js";
import "../src/askance/respond/browser/look.js";
import "../src/askance/respond/browser/panel.js";
import "../src/askance/respond/browser/pin.js";
import "../src/askance/respond/browser/pipes.js";
import "../src/askance/respond/browser/quotas.js";
import "../src/askance/respond/browser/request.js";
import "../src/askance/respond/browser/saved.js";
import "../src/askance/respond/browser/seal.js";
import "../src/askance/respond/browser/sections.js";
import "../src/askance/respond/browser/skips.js";
import "../src/askance/respond/browser/tablet.js";
import "../src/askance/respond/browser/tokens.js";
import "../src/askance/respond/browser/open.js";
