import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { attempt } from "../../util/async/attempt.ts";

export interface PageRequest {
  readonly html: string;
  /** Links and images are relative to it. */
  readonly url: string;
  readonly format: "markdown" | "text" | "html";
  /** Only the elements that match this CSS selector. */
  readonly selector?: string;
}

export type Page =
  | { readonly title: string; readonly text: string; readonly frames: readonly string[] }
  | { readonly problem: "selector" | "no match" };

/** The part of the DOM that is used here; its own types would add those of a browser to every file. */
interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
}

interface PageElement extends PageNode {
  readonly outerHTML: string;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
  replaceChildren(...children: readonly PageElement[]): void;
}

interface PageDocument extends PageElement {
  readonly documentElement: PageElement;
  readonly body: PageElement;
  cloneNode(isDeep: boolean): unknown;
  createElement(name: string): PageElement;
}

const TEXT_NODE = 3;

/** What no reader of a page sees. */
const UNSEEN =
  "script, style, template, link, meta, object, embed, svg, canvas, [hidden], dialog:not([open])";
/** What is around the content of a page. */
const AROUND =
  'nav, footer, header:not(:has(h1)), [role="navigation"], [role="contentinfo"], [role="search"], [aria-modal="true"], [class*="cookie"], [id*="cookie"], [class*="consent"], [id*="consent"]';
/** The largest part of a page's text that is taken for something around the content. */
const MOST_AROUND = 0.3;
/** The article is used if it has at least this part of the page's text: else something was lost. */
const LEAST_ARTICLE = 0.5;

/** Reads a page: the article if it is most of the page, else the whole page, else only what a selector matches. */
export function readPage({ html, url, format, selector }: PageRequest): Page {
  const document = parse(html);
  const title = document.querySelector("title")?.textContent?.trim() ?? "";
  const frames = [...document.querySelectorAll("iframe[src], frame[src]")]
    .map((frame) => absolute(frame.getAttribute("src"), url) ?? "")
    .filter((frame) => /^https?:/.test(frame));
  removeUnseen(document);
  markCode(document);
  makeAbsolute(document, url);
  if (selector !== undefined) {
    const elements = attempt(() => [...document.querySelectorAll(selector)]);
    if (elements === undefined) return { problem: "selector" };
    if (elements.length === 0) return { problem: "no match" };
    return { title, text: elements.map((element) => render(element, format)).join("\n\n"), frames: [] };
  }
  if (format === "html") return { title, text: document.documentElement.outerHTML, frames };
  const whole = document.body;
  removeAround(whole);
  const length = textLength(whole);
  const article = new Readability(document.cloneNode(true), { keepClasses: true }).parse();
  const hasArticle = (article?.length ?? 0) >= length * LEAST_ARTICLE;
  const content = hasArticle ? parse(article?.content ?? "").body : whole;
  return { title, text: withTitle(article?.title ?? title, render(content, format)), frames };
}

function parse(html: string): PageDocument {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  return document;
}

function removeUnseen(document: PageDocument): void {
  for (const element of document.querySelectorAll(UNSEEN)) element.remove();
  for (const element of document.querySelectorAll("[style]"))
    if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(element.getAttribute("style") ?? ""))
      element.remove();
  // The marks behind headings that link to them.
  for (const link of document.querySelectorAll('a[href^="#"]'))
    if (/^[#¶§]?$/.test(link.textContent?.trim() ?? "")) link.remove();
}

/** Marks all preformatted text as code: converters take only `pre > code` for a block of code. */
function markCode(document: PageDocument): void {
  for (const block of document.querySelectorAll("pre")) {
    if (block.querySelector("code") !== null) continue;
    const code = document.createElement("code");
    code.textContent = block.textContent;
    block.replaceChildren(code);
  }
}

function removeAround(body: PageElement): void {
  const length = textLength(body);
  for (const element of body.querySelectorAll(AROUND))
    if (textLength(element) <= length * MOST_AROUND) element.remove();
}

function textLength(element: PageElement): number {
  return element.textContent?.replace(/\s+/g, " ").length ?? 0;
}

const LINKING = [
  ["a", "href"],
  ["img", "src"],
] as const;

function makeAbsolute(document: PageDocument, page: string): void {
  const base = absolute(document.querySelector("base")?.getAttribute("href") ?? null, page) ?? page;
  for (const [tag, attribute] of LINKING) {
    for (const element of document.querySelectorAll(`${tag}[${attribute}]`)) {
      const target = absolute(element.getAttribute(attribute), base);
      if (target === undefined || /^(?:javascript|data):/i.test(target)) element.removeAttribute(attribute);
      else element.setAttribute(attribute, target);
    }
  }
}

function absolute(link: string | null, base: string): string | undefined {
  return link === null ? undefined : URL.parse(link, base)?.href;
}

function render(element: PageElement, format: PageRequest["format"]): string {
  if (format === "html") return element.outerHTML;
  const text = format === "text" ? plainText(element) : toMarkdown(element);
  return text
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function toMarkdown(element: PageElement): string {
  return NodeHtmlMarkdown.translate(element.outerHTML, {
    bulletMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    keepDataImages: false,
  });
}

const BLOCKS =
  /^(?:address|article|aside|blockquote|dd|div|dl|dt|figcaption|figure|h[1-6]|header|hr|li|main|ol|p|pre|section|table|tr|ul)$/;

function plainText(node: PageNode): string {
  if (node.nodeType === TEXT_NODE) return (node.textContent ?? "").replace(/\s+/g, " ");
  const name = node.nodeName.toLowerCase();
  if (name === "br") return "\n";
  if (name === "pre") return `\n\n${node.textContent ?? ""}\n\n`;
  const inner = [...node.childNodes].map(plainText).join("");
  if (name === "td" || name === "th") return `${inner.trim()}\t`;
  return BLOCKS.test(name) ? `\n${inner.trim()}\n` : inner;
}

/** Puts the title first, unless the text begins with it or there is none. */
function withTitle(title: string, text: string): string {
  if (title === "" || text === "" || text.slice(0, 500).includes(title)) return text;
  return `# ${title}\n\n${text}`;
}
