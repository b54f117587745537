import { lexer, type Token, type Tokens } from "marked";
import { lineWidth, span, wrap, type Line, type Span } from "../text/line.ts";
import { plain } from "../text/plain.ts";
import { inlineSpans } from "./inline.ts";
import { tableLines } from "./table.ts";

/** Renders Markdown as rows. Never fails: everything else is text. */
export function markdownLines(text: string, width: number): readonly Line[] {
  return blockLines(lexer(plain(text)), width);
}

function blockLines(tokens: readonly Token[], width: number): readonly Line[] {
  const blocks = tokens.filter(({ type }) => type !== "space" && type !== "def");
  return blocks.flatMap((token, index) => {
    const lines = linesOf(token, width);
    return index === 0 ? lines : [[], ...lines];
  });
}

function linesOf(token: Token, width: number): readonly Line[] {
  switch (token.type) {
    case "heading":
      return headingLines(token as Tokens.Heading, width);
    case "code":
      return codeLines(token as Tokens.Code, width);
    case "blockquote": {
      const mark = [span("│ ", { dim: true })];
      return prefixed(blockLines((token as Tokens.Blockquote).tokens, width - 2), mark, mark);
    }
    case "list":
      return listLines(token as Tokens.List, width);
    case "table":
      return tableLines(token as Tokens.Table, width);
    case "hr":
      return [[span("─".repeat(Math.max(1, Math.min(width, 40))), { dim: true })]];
    case "html":
      return textLines(
        token.raw
          .trimEnd()
          .split("\n")
          .flatMap((line) => [span(line), span("\n")])
          .slice(0, -1),
        width,
      );
    default: {
      const children = "tokens" in token ? (token.tokens ?? []) : [];
      return textLines(children.length > 0 ? inlineSpans(children) : [span(token.raw)], width);
    }
  }
}

/** Keeps the marks: without colour they are the only sign of a heading. */
function headingLines({ depth, tokens }: Tokens.Heading, width: number): readonly Line[] {
  const words = inlineSpans(tokens, { bold: true }).map((one) => (one.text === "\n" ? span(" ") : one));
  return wrap([span(`${"#".repeat(depth)} `, { dim: true }), ...words], { width });
}

function codeLines({ text, lang }: Tokens.Code, width: number): readonly Line[] {
  const label = lang === undefined || lang === "" ? [] : [[span(`  ${lang}`, { dim: true })]];
  const margin = [span("  ")];
  const rows = text
    .split("\n")
    .flatMap((row) => wrap([span(row, { colour: "cyan" })], { width, first: margin, next: margin }));
  return [...label, ...rows];
}

function listLines({ items, ordered, start }: Tokens.List, width: number): readonly Line[] {
  const isLoose = items.some(({ loose }) => loose);
  return items.flatMap((item, index) => {
    const bullet = ordered ? `${(start || 1) + index}. ` : "• ";
    const mark = item.task ? `${bullet}[${item.checked === true ? "x" : " "}] ` : bullet;
    const tokens = item.tokens.filter(({ type }) => type !== "checkbox");
    const inner = itemLines(tokens, width - mark.length);
    const lines = prefixed(inner.length === 0 ? [[]] : inner, [span(mark)], [span(" ".repeat(mark.length))]);
    return isLoose && index > 0 ? [[], ...lines] : lines;
  });
}

/** The blocks of an item have no blank lines between them. */
function itemLines(tokens: readonly Token[], width: number): readonly Line[] {
  return tokens.filter(({ type }) => type !== "space").flatMap((token) => linesOf(token, width));
}

function textLines(spans: readonly Span[], width: number): readonly Line[] {
  const rows: Span[][] = [[]];
  for (const one of spans) {
    if (one.text === "\n") rows.push([]);
    else rows.at(-1)?.push(one);
  }
  return rows.flatMap((row) => wrap(row, { width }));
}

function prefixed(lines: readonly Line[], first: Line, next: Line): readonly Line[] {
  return lines.map((row, index) => {
    const prefix = index === 0 ? first : next;
    return row.length === 0 || lineWidth(row) === 0 ? prefix : [...prefix, ...row];
  });
}
