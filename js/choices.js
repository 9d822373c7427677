// What questions of named answers can bring with them.

import "../src/askance/respond/browser/alike.js";
import "../src/askance/respond/browser/coin.js";
import "../src/askance/respond/browser/dots.js";
import "../src/askance/respond/browser/groups.js";
import "../src/askance/respond/browser/invited.js";
import "../src/askance/respond/browser/needed.js";
import "../src/askance/respond/browser/proof.js";
import "../src/askance/respond/browser/ratio.js";
import "../src/askance/respond/browser/sets.js";
