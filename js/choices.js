// What questions of named answers can bring with them.

import "../src/askance_collect/respond/browser/alike.js";
import "../src/askance_collect/respond/browser/coin.js";
import "../src/askance_collect/respond/browser/dots.js";
import "../src/askance_collect/respond/browser/groups.js";
import "../src/askance_collect/respond/browser/invited.js";
import "../src/askance_collect/respond/browser/needed.js";
import "../src/askance_collect/respond/browser/proof.js";
import "../src/askance_collect/respond/browser/ratio.js";
import "../src/askance_collect/respond/browser/sets.js";
