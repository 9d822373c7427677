// The study's public key in a form: what leaves a frame is sealed for it (hpke.js), and texts of the survey's own
// page (sealed.js), which sends its reports to the study itself. A page whose form has no key goes without this
// module.

import { register } from "./hooks.js";

// Schema: seal
const SEAL = { seal: /^[\w-]{42}[AEIMQUYcgkosw048]E[\w-]{85}[AQgw]$/ };

register({
  name: "seal",
  shapes: SEAL,
});
