// Draws docs/images/repl.svg: runs the REPL with a scripted model in a real terminal (tmux), and turns the screen and its colours into SVG.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { openTerminal } from "../test/support/programs/terminal.ts";

const FILE = "docs/images/repl.svg";
const [COLUMNS, ROWS] = [84, 30];
/** The size of a character, in pixels. */
const [WIDTH, HEIGHT, MARGIN] = [8.43, 18, 14];
const STORY = [
  {
    text: "I run the **tests** first.\n",
    calls: [{ name: "shell", input: { command: "sh test.sh" } }],
  },
  { text: "`sum` subtracts.", calls: [{ name: "read_file", input: { path: "sum.ts" } }] },
  { calls: [{ name: "edit_file", input: { path: "sum.ts", old_string: "a - b", new_string: "a + b" } }] },
  { text: "Done." },
];

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

const root = mkdtempSync(join(tmpdir(), "toolwright-picture-"));
const endings: (() => unknown)[] = [() => rmSync(root, { recursive: true, force: true })];
try {
  const screen = await capture();
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, toSvg(screen));
  console.log(`wrote ${FILE}`);
} finally {
  for (const end of endings.toReversed()) await end();
}

/** Returns the screen at the question before the edit, with its escapes for colours. */
async function capture(): Promise<string> {
  const folder = join(root, "project");
  mkdirSync(folder);
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("story.jsonl", STORY.map((line) => `${JSON.stringify(line)}\n`).join(""));
  write(
    "test.sh",
    "echo ok 1 - joins\necho ok 2 - splits\necho 'not ok 3 - sums: expected 3, got -1' >&2\nexit 1\n",
  );
  write("sum.ts", "/** Adds. */\nexport const sum = (a: number, b: number) => a - b;\n");
  const terminal = await openTerminal(
    { after: (end: () => unknown) => void endings.push(end) },
    {
      command: [process.execPath, resolve("bin/toolwright.js"), "chat", "--model", "scripted/story.jsonl"],
      cwd: folder,
      environment: { HOME: root, PATH: process.env["PATH"] ?? "", COLORTERM: "truecolor" },
      columns: COLUMNS,
      rows: ROWS,
    },
  );
  await terminal.waitFor("ready");
  await terminal.type("Why does test 3 fail?");
  await terminal.press("Enter");
  await terminal.waitFor("[n]");
  await terminal.press("y");
  await terminal.waitFor(/edit_file[^]*\[n\]/);
  // The folder has another name each time.
  return (await terminal.colours()).replaceAll(root, "~");
}

function toSvg(screen: string): string {
  const rows = screen.split("\n").filter((row, index, all) => row !== "" || index < all.length - 1);
  const [width, height] = [COLUMNS * WIDTH + 2 * MARGIN, rows.length * HEIGHT + 2 * MARGIN];
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
