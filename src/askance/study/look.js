language => {
  const main = document.getElementById("main");
  const words = new Intl.Segmenter(language, { granularity: "word" });
  const count = (text) => [...words.segment(text)].filter((one) => one.isWordLike).length;
  const lines = main.innerText.split("\n").map((line) => line.trim()).filter(Boolean);
  const has = (what) => main.querySelector(what) !== null;
  const root = document.documentElement;
  const pressed = main.querySelector("button.main:not([hidden])")?.getBoundingClientRect();
  return {
    title: main.querySelector("h1")?.innerText.trim() ?? "",
    lines: lines.map((line) => [line, count(line)]),
    kind: has(".receipt") ? "receipt" : has(".step") ? "question" : has(".card") ? "card"
      : has(".outcome") ? "practice" : has("#door") ? "consent" : pressed ? "" : "turned away",
    tall: (main.getBoundingClientRect().bottom + scrollY) / innerHeight,
    wide: root.scrollWidth > innerWidth,
    hidden: pressed !== undefined && pressed.bottom > innerHeight + 1,
    complaint: main.querySelector(".complaint")?.innerText ?? "",
    outcome: (main.querySelector(".outcome")?.childElementCount ?? 0) > 0,
  };
}
