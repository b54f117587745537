import type { Token, Tokens } from "marked";
import { span, type Span, type Style } from "../text/line.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Returns the styled spans of a paragraph; a line break is a span of its own, `"\n"`. */
export function inlineSpans(tokens: readonly Token[], style: Style = {}): readonly Span[] {
  return tokens.flatMap((token) => spansOf(token, style));
}

function spansOf(token: Token, style: Style): readonly Span[] {
  const children = "tokens" in token ? (token.tokens ?? []) : [];
  switch (token.type) {
    case "strong":
      return inlineSpans(children, { ...style, bold: true });
    case "em":
      return inlineSpans(children, { ...style, italic: true });
    case "del":
      return inlineSpans(children, { ...style, strike: true });
    case "codespan":
      return [span(`\`${oneLine((token as Tokens.Codespan).text)}\``, { ...style, colour: "cyan" })];
    case "br":
      return [span("\n")];
    case "link":
      return linkSpans(token as Tokens.Link, style);
    case "image":
      return [
        span(`[image: ${oneLine((token as Tokens.Image).text || (token as Tokens.Image).href)}]`, style),
      ];
    default:
      return children.length > 0 ? inlineSpans(children, style) : [span(textOf(token), style)];
  }
}

/** Adds the address after the text, unless they are the same. */
function linkSpans({ href, text, tokens }: Tokens.Link, style: Style): readonly Span[] {
  const words = inlineSpans(tokens, { ...style, colour: "blue", underline: true });
  const isSame = text === href || `mailto:${text}` === href || `http://${text}` === href;
  return isSame ? words : [...words, span(` (${oneLine(href)})`, { ...style, dim: true })];
}

function textOf(token: Token): string {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return oneLine(text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity));
}

function oneLine(text: string): string {
  return text.replaceAll("\n", " ");
}
