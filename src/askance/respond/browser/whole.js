// How the page speaks of whole numbers: by the first and the last of a range, and by how many there are.
// A page whose form asks for none goes without this module.

import { numberAt } from "./line.js";
import { RANGES, shown, tidy } from "./ranges.js";

// The whole numbers above a tick, up to another: by the first and the last of them.
function wholePhrase(line, [above, upTo], speech) {
  const { words } = speech;
  const [first, last] = [numberAt(line, above) + 1, numberAt(line, upTo)];
  const [low, high] = [first, last].map((value) => shown(line, value, speech));
  const unit = speech.inside(line.unit);
  if (upTo === line.ticks) return tidy(words.orMore(low, unit));
  return tidy(first === last ? `${low} ${unit}` : words.fromTo(low, high, unit));
}

const fewerThan = (size, { words }) => words.fewerNumbers(size);

RANGES.whole = wholePhrase;
RANGES.wholeSize = fewerThan;
