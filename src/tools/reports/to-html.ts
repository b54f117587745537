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
${blocks.map((block) => renderBlock(block, images)).join("\n")}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h2, h3 { margin-top: 2rem; border-bottom: 1px solid #8886; }
pre { padding: 0.6rem; border: 1px solid #8886; white-space: pre-wrap; }
p { white-space: pre-wrap; }
table { border-collapse: collapse; }
td, th { padding: 0.2rem 0.6rem; border: 1px solid #8886; text-align: left; }
img { max-width: 100%; border: 1px solid #8886; }
`;

function renderBlock(block: Block, images: Images): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level}>${escapeHtml(oneLine(block.text))}</h${block.level}>`;
    case "text":
      return renderText(block.text);
    case "code":
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case "facts":
      return `<ul>${block.rows.map(([name, value]) => `<li><b>${escapeHtml(name)}:</b> ${inline(value)}</li>`).join("")}</ul>`;
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
    `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${row(head, "th")}${rows.map((cells) => row(cells, "td")).join("")}</table>`;
}

function imageOf(name: string, url: string | undefined): string {
  const label = escapeHtml(name);
  return url === undefined ? `<p>[${label} is missing]</p>` : `<img alt="${label}" src="${escapeHtml(url)}">`;
}
