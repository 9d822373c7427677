import { mount, unmount } from "svelte";

import Survey from "./Survey.svelte";

const survey = mount(Survey, { target: document.getElementById("app") });
addEventListener("leave", () => unmount(survey));
