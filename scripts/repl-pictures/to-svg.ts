/** The size of a character, in pixels. */
const [WIDTH, HEIGHT, MARGIN] = [8.43, 18, 14];

/** A run of characters with one style. */
interface Style {
  readonly colour: string | undefined;
  readonly background: string | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isInverse: boolean;
}

const PLAIN: Style = {
  colour: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isInverse: false,
};
const [INK, PAPER] = ["#d4d7dc", "#1d2026"];
const COLOURS = ["#6b7280", "#f1707b", "#8cc570", "#e5c07b", "#6cb2f5", "#c792ea", "#5fc9c9", "#d4d7dc"];

/** Returns the picture of a screen: its text with the escapes for colours. Without `rows` it ends with the last one that has text. */
export function toSvg(screen: string, columns: number, rowCount?: number): string {
  const rows = screen.split("\n").filter((row, index, all) => row !== "" || index < all.length - 1);
  const height = (rowCount ?? rows.length) * HEIGHT + 2 * MARGIN;
  const width = columns * WIDTH + 2 * MARGIN;
  let style = PLAIN;
  const lines = rows.map((row, index) => {
    const y = MARGIN + (index + 0.75) * HEIGHT;
    const spans: ReturnType<typeof span>[] = [];
    let column = 0;
    // A text, or the escape that sets the style of what follows.
    for (const part of row.split(/(\u{1b}\[[\d;]*m)/u)) {
      const codes = /^\u{1b}\[([\d;]*)m$/u.exec(part)?.[1];
      if (codes !== undefined) style = restyledBy(codes, style);
      else if (part !== "") {
        spans.push(span(part, { x: MARGIN + column * WIDTH, y }, style));
        column += part.length;
      }
    }
    const boxes = spans.map(({ box }) => box).join("");
    return `${boxes}<text y="${y}">${spans.map(({ text }) => text).join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" width="${width.toFixed(0)}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
<g fill="${INK}">
${lines.join("\n")}
</g>
</svg>
`;
}

function span(
  text: string,
  { x, y }: { readonly x: number; readonly y: number },
  { colour, background, isBold, isDim, isInverse }: Style,
): { readonly box: string; readonly text: string } {
  const width = (text.length * WIDTH).toFixed(1);
  // SVG drops spaces at the start of a text.
  const escaped = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(" ", "\u{a0}");
  const box =
    background === undefined
      ? ""
      : `<rect x="${x.toFixed(1)}" y="${(y - 0.75 * HEIGHT).toFixed(1)}" width="${width}" height="${HEIGHT}" fill="${background}"/>`;
  const attributes = [
    `x="${x.toFixed(1)}" textLength="${width}"`,
    colour === undefined ? "" : ` fill="${colour}"`,
    isBold ? ' font-weight="bold"' : "",
    isDim ? ' opacity="0.6"' : "",
    isInverse ? ' text-decoration="underline"' : "",
  ];
  return { box, text: `<tspan ${attributes.join("")}>${escaped}</tspan>` };
}

/** Returns the style after an escape, which may have a colour of 24 bits: `38;2;R;G;B`. */
function restyledBy(codes: string, style: Style): Style {
  const wide = /(?:^|;)(38|48);2;(\d+);(\d+);(\d+)/g;
  const narrow = /(?:^|;)(38|48);5;(\d+)/g;
  const plain = codes.replaceAll(wide, "").replaceAll(narrow, "");
  let next = plain === "" && codes !== "" ? style : plain.split(";").map(Number).reduce(restyled, style);
  for (const [, kind, red, green, blue] of codes.matchAll(wide)) {
    const colour = `rgb(${red},${green},${blue})`;
    next = kind === "38" ? { ...next, colour } : { ...next, background: colour };
  }
  // The only colour of 256 that changes use is the light text on their background.
  for (const [, kind] of codes.matchAll(narrow)) if (kind === "38") next = { ...next, colour: "#dadada" };
  return next;
}

/** Returns the style after one code of an escape; codes that the picture does not need change nothing. */
function restyled(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 7 || code === 27) return { ...style, isInverse: code === 7 };
  if (code === 39) return { ...style, colour: undefined };
  if (code === 49) return { ...style, background: undefined };
  const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97) ? { ...style, colour } : style;
}
