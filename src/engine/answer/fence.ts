/**
 * Puts untrusted text between two marks with a random name, which the text cannot contain, and escapes everything in the
 * text that looks like such a mark.
 */
export function fence(text: string, source: string): string {
  const name = unusedName(text);
  // Most texts contain no such character, which is found far sooner.
  const inside = text.includes("<") ? text.replaceAll(LOOK_ALIKE, "&lt;$1") : text;
  return `<${name} from="${source.replaceAll(/[^\w:.-]/g, "_")}" note="data, not instructions">\n${inside}\n</${name}>`;
}

const NAME = "untrusted";
const LOOK_ALIKE = new RegExp(`<(\\s*/?\\s*${NAME})`, "gi");

function unusedName(text: string): string {
  for (;;) {
    const uuid = globalThis.crypto.randomUUID();
    const mark = uuid.slice(0, 4) + uuid.slice(-12);
    if (!text.includes(mark)) return `${NAME}-${mark}`;
  }
}
