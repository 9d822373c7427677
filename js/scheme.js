// The colour scheme of the page; of one that says none, that of the ground on which a node stands.
export function schemeOf(node) {
  const said = getComputedStyle(node).colorScheme;
  if (said !== "normal") return said;
  for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
    const ground = /^rgba?\((.+)\)$/.exec(getComputedStyle(at).backgroundColor);
    const [red, green, blue, cover = 1] = ground?.[1].split(",") ?? [];
    if (red && cover > 0) return red - -green - -blue < 384 ? "dark" : "light";
  }
  return "light";
}
