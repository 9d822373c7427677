// Every part of a form that is of the page around its questions.

import "../src/askance_collect/respond/browser/comments.js";
import "../src/askance_collect/respond/browser/evidence.js";
import "../src/askance_collect/respond/browser/later.js";
import "../src/askance_collect/respond/browser/lists.js";
import "../src/askance_collect/respond/browser/grids.js";
import "../src/askance_collect/respond/browser/items.js";
import "../src/askance_collect/respond/browser/look.js";
import "../src/askance_collect/respond/browser/panel.js";
import "../src/askance_collect/respond/browser/pin.js";
import "../src/askance_collect/respond/browser/pipes.js";
import "../src/askance_collect/respond/browser/quotas.js";
import "../src/askance_collect/respond/browser/request.js";
import "../src/askance_collect/respond/browser/apart.js";
import "../src/askance_collect/respond/browser/saved.js";
import "../src/askance_collect/respond/browser/seal.js";
import "../src/askance_collect/respond/browser/sections.js";
import "../src/askance_collect/respond/browser/skips.js";
import "../src/askance_collect/respond/browser/tablet.js";
import "../src/askance_collect/respond/browser/tokens.js";
import "../src/askance_collect/respond/browser/open.js";
