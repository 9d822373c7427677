// The study's public key in a form: what leaves a frame is sealed for it (hpke.js). The survey's own page
// sends its reports to the study itself. A page whose form has no key goes without this module.

import { assert, matches } from "./form.js";
import { register } from "./hooks.js";

// 97 bytes in URL-safe base64: a public key of X25519, and one of P-256, which begins with a 4.
const SEAL = /^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/;

register({
  name: "seal",
  /** @param {Form} form */
  detect: ({ seal }) => seal !== undefined,
  /** @param {Form} form */
  validate: ({ seal }) => assert(matches(seal, SEAL), "seal"),
});
