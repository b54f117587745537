import { visibleBlock } from "../../util/text/visible.ts";

/** A part of a report. Texts are Markdown of the author; code and captured traffic are shown as they are. */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "facts"; readonly rows: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "image"; readonly file: string; readonly name: string };

export const heading = (level: number, text: string): Block => ({ kind: "heading", level, text });
export const text = (content: string): Block => ({ kind: "text", text: content.trim() });
export const code = (content: string): Block => ({ kind: "code", text: content });

/** Returns a report as Markdown, with every character visible. Images are named by their file, which is in the folder of the report. */
export function toMarkdown(blocks: readonly Block[]): string {
  return `${visibleBlock(blocks.map(renderBlock).join("\n\n"))}\n`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${oneLine(block.text)}`;
    case "text":
      return block.text;
    case "code":
      return fenced(block.text);
    case "facts":
      return block.rows.map(([name, value]) => `- **${name}:** ${oneLine(value)}`).join("\n");
    case "table":
      return tableOf(block.rows);
    default:
      return `![${oneLine(block.name)}](${block.file})`;
  }
}

/** The first row is the head. */
function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll("|", String.raw`\|`)).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Fences code so that nothing in it can close the fence. */
function fenced(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${content.replace(/\n$/, "")}\n${fence}`;
}

export function oneLine(content: string): string {
  return content.replaceAll(/\s+/g, " ").trim();
}
