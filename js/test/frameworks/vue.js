import { createApp } from "vue";

import Survey from "./Survey.vue";

const app = createApp(Survey);
app.mount("#app");
addEventListener("leave", () => app.unmount());
