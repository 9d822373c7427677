// Whether a source of random bytes is stuck: the repetition count and the adaptive proportion test of NIST
// SP 800-90B, §4.4.1 and §4.4.2, for 8 bits a byte. Each raises a false alarm once in 2^40: at six bytes alike
// in a row, and at 20 like the first of 512. The twin of askance_collect/respond/health_tests.py.

const ALIKE = 6;
const LIKE_THE_FIRST = 20;
const WINDOW = 512;

// Takes bytes as they are drawn, and says whether none of all so far has failed a test.
export function healthTests() {
  let [seen, alike, like, first, last, passed] = [0, 0, 0, -1, -1, true];
  return (/** @type {Uint8Array} */ bytes) => {
    for (const byte of bytes) {
      if (seen % WINDOW === 0) [first, like] = [byte, 0];
      like += Number(byte === first);
      alike = byte === last ? alike + 1 : 1;
      last = byte;
      seen += 1;
      passed &&= alike < ALIKE && like < LIKE_THE_FIRST;
    }
    return passed;
  };
}
