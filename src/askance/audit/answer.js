async ([wanted, choice, others]) => {
  const main = document.getElementById("main");
  const plain = (text) => text.split(/\s+/u).join(" ").trim();
  const title = () => plain(main.querySelector("h1")?.innerText ?? "");
  const changed = async (before) => {
    for (let at = 0; at < 2000 && main.innerText === before; at += 1) {
      await new Promise((done) => setTimeout(done, at < 20 ? 0 : 5));
    }
    return main.innerText !== before;
  };
  for (let at = 0; at < 400 && !main.querySelector("h1"); at += 1) {
    await new Promise((done) => setTimeout(done, at < 20 ? 1 : 10));
  }
  if (!main.querySelector("h1")) return "a page that does not start";
  for (let screens = 0; screens < 500; screens += 1) {
    if (main.querySelector(".receipt")) return "";
    const radios = [...main.querySelectorAll("fieldset input[type=radio]")];
    const boxes = [...main.querySelectorAll("input[type=checkbox]")];
    const asked = main.querySelector(".step") && title() === wanted;
    if (asked) radios[choice]?.click();
    else if (radios.length > 0) (radios[others[title()]] ?? radios.at(-1)).click();
    else if (boxes.length > 0 && main.querySelector("#door")) boxes.forEach((box) => box.click());
    else if (boxes.length > 0) boxes.at(-1).click();
    main.querySelector(".outcome .buttons:not(:last-child) button")?.click();
    const before = main.innerText;
    const onward = main.querySelector("button.main:not([hidden])");
    if (!onward) return `no way on from “${title()}”`;
    onward.click();
    if (!(await changed(before))) return `no way on from “${title()}”`;
  }
  return "no end";
}
