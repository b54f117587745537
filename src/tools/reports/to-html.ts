import { escapeHtml } from "../../util/text/visible.ts";
import { oneLine, type Block } from "./blocks.ts";

/** Images by their file: data URLs; a file that is missing is named instead. */
export type Images = ReadonlyMap<string, string>;

/** Returns a report as one page that needs no other file. It runs no script, whatever its texts contain. */
export function toHtml(title: string, blocks: readonly Block[], images: Images): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escapeHtml(oneLine(title))}</title>
<style>${STYLE}</style>
</head>
<body>
${rendered(blocks, images)}
</body>
</html>
`;
}

const STYLE = `
:root {
  color-scheme: light dark; font: 15px/1.6 Inter, system-ui, sans-serif;
  --bg: light-dark(#fafaf8, #141413); --panel: light-dark(#fff, #1c1c1a); --line: light-dark(#e3e1dc, #32312e);
  --text: light-dark(#1d1c1a, #edece9); --muted: light-dark(#625f58, #a5a29a);
}
body { max-width: 58rem; margin: 0 auto; padding: 2rem 1.5rem; background: var(--bg); color: var(--text); overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; padding-bottom: 1rem; border-bottom: 3px solid light-dark(#3451b2, #93a9ff); font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.6rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 1.8rem 0 0.4rem; font-size: 1.05rem; }
nav { margin: 1rem 0; padding: 0.8rem 1.2rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
nav ol { margin: 0; padding-left: 1.2rem; }
a { color: light-dark(#3451b2, #93a9ff); }
pre { padding: 0.7rem 0.9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); white-space: pre-wrap; }
pre, code { font-family: "JetBrains Mono", ui-monospace, monospace; font-size: 0.85em; }
p { white-space: pre-wrap; }
table { width: 100%; border-collapse: collapse; background: var(--panel); font-variant-numeric: tabular-nums; }
td, th { padding: 0.35rem 0.7rem; border: 1px solid var(--line); text-align: left; }
th { color: var(--muted); font-weight: 600; }
img { max-width: 100%; border: 1px solid var(--line); border-radius: 6px; }
.severity { padding: 0.05rem 0.5rem; border-radius: 4px; font-weight: 600; white-space: nowrap; }
.critical { background: light-dark(#7d1410, #ff7a6e); color: light-dark(#fff, #2b0a08); }
.high { background: light-dark(#fbe7e5, #431a17); color: light-dark(#ad231b, #ff958b); }
.medium { background: light-dark(#fbefd6, #392b10); color: light-dark(#805200, #e3b04e); }
.low, .info, .informational, .none { background: light-dark(#e1f1f6, #13323d); color: light-dark(#1b6179, #74c3df); }
@media print {
  :root { color-scheme: light; font-size: 11pt; }
  body { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  pre, table, img { break-inside: avoid; }
}
`;

/** Returns links to the chapters; none for a report with few. */
function contentsOf(blocks: readonly Block[]): string {
  const chapters = blocks.flatMap((block, index) =>
    block.kind === "heading" && block.level === 2 ? [[index, oneLine(block.text)] as const] : [],
  );
  if (chapters.length < 3) return "";
  const items = chapters.map(([index, text]) => `<li><a href="#part-${index}">${escapeHtml(text)}</a></li>`);
  return `<nav aria-label="Contents"><ol>${items.join("")}</ol></nav>`;
}

const SEVERITY = /^(critical|high|medium|low|info|informational|none)\b/i;

/** Colours a severity; other texts stay as they are. */
function withSeverity(name: string, value: string): string {
  const level = SEVERITY.exec(value.trim())?.[1];
  if (level === undefined || !/severity|cvss/i.test(name)) return inline(value);
  return `<span class="severity ${level.toLowerCase()}">${inline(value)}</span>`;
}

/** The contents follow what is before the first chapter. */
function rendered(blocks: readonly Block[], images: Images): string {
  const parts = blocks.map((block, index) => renderBlock(block, images, index));
  const first = blocks.findIndex((block) => block.kind === "heading" && block.level === 2);
  return parts.toSpliced(Math.max(0, first), 0, contentsOf(blocks)).join("\n");
}

function renderBlock(block: Block, images: Images, index: number): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level} id="part-${index}">${escapeHtml(oneLine(block.text))}</h${block.level}>`;
    case "text":
      return renderText(block.text);
    case "code":
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case "facts":
      return `<ul>${block.rows.map(([name, value]) => `<li><b>${escapeHtml(name)}:</b> ${withSeverity(name, value)}</li>`).join("")}</ul>`;
    case "table":
      return tableOf(block.rows);
    default:
      return imageOf(block.name, images.get(block.file));
  }
}

const FENCED = /^(`{3,})[^\n`]*\n([\s\S]*?)\n?^\1`*[ \t]*$/gm;

/** Shows fenced code as such, and everything else as it was written. */
function renderText(text: string): string {
  const parts: string[] = [];
  let at = 0;
  const addText = (part: string): unknown =>
    part.trim() !== "" && parts.push(`<p>${inline(part.trim())}</p>`);
  for (const match of text.matchAll(FENCED)) {
    addText(text.slice(at, match.index));
    parts.push(`<pre>${escapeHtml(match[2] ?? "")}</pre>`);
    at = match.index + match[0].length;
  }
  addText(text.slice(at));
  return parts.join("\n");
}

/** Shows `code` and **strong** text; tags are added to text that is escaped. */
function inline(text: string): string {
  return escapeHtml(text)
    .replaceAll(/`([^`\n]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*\n]+)\*\*/g, "<b>$1</b>");
}

/** The first row is the head. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string): string =>
    `<tr>${cells.map((cell, column) => `<${tag}>${withSeverity(head[column] ?? "", cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${row(head, "th")}${rows.map((cells) => row(cells, "td")).join("")}</table>`;
}

function imageOf(name: string, url: string | undefined): string {
  const label = escapeHtml(name);
  return url === undefined ? `<p>[${label} is missing]</p>` : `<img alt="${label}" src="${escapeHtml(url)}">`;
}
