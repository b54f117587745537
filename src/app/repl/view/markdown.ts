import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { setCapabilities } from "@earendil-works/pi-tui/dist/terminal-image.js";
import type { Paint, Style } from "../../terminal/print/paint.ts";
import { plain } from "../text/plain.ts";
import { alignTables } from "./align-tables.ts";
import type { Sheet } from "./rows.ts";

// Otherwise the library runs tmux to find out, and hides the addresses of links.
setCapabilities({ images: null, trueColor: false, hyperlinks: false });

/** In place of the fence of a code block, which colours make superfluous. */
const FENCE = "\u{e000}";

/** Renders Markdown as rows. Code is at the left edge, so that it can be copied from the screen. */
export function markdownRows(text: string, { width, paint }: Sheet): readonly string[] {
  const markdown = plain(text).replaceAll(FENCE, "");
  const component = new Markdown(markdown, 0, 0, themeOf(paint), undefined, { renderLatex: false });
  const rows = component.render(width).map((row) => row.trimEnd());
  return alignTables(
    // In a list or a quote the row has more than the fence.
    rows.filter((row) => !row.includes(FENCE)),
    markdown,
  );
}

function themeOf(paint: Paint): MarkdownTheme {
  const by = (style: Style) => (text: string) => paint(style, text);
  const isColoured = paint.depth !== 1;
  return {
    codeBlockIndent: "",
    heading: by("bold"),
    link: by("blue"),
    linkUrl: by("dim"),
    // Without colours nothing but its marks shows what is code.
    code: (text) => (isColoured ? paint("cyan", text) : `\`${text}\``),
    codeBlock: by("cyan"),
    highlightCode: (code, language = "") => [
      ...(paint.code?.(code, language, { paint }) ?? code.split("\n").map(by("cyan"))),
    ],
    codeBlockBorder: isColoured ? () => FENCE : (text) => text,
    quote: (text) => text,
    quoteBorder: by("dim"),
    hr: by("dim"),
    listBullet: by("dim"),
    bold: by("bold"),
    italic: by("italic"),
    strikethrough: by("strikethrough"),
    underline: by("underline"),
  };
}
