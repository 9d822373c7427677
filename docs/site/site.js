// What the site does where a browser runs scripts: odds to turn, and a way of asking found by clicks.

import "./turn-the-odds.js";
import "./which-way.js";

// What scrolls can be reached by the keyboard.
for (const block of document.querySelectorAll("pre, .table-wrapper, .formula")) block.tabIndex = 0;
