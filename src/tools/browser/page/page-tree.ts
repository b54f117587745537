import { shortened } from "../../../util/text/shortened.ts";

/** An element of the accessibility tree of a page, as playwright describes it. */
export interface TreeNode {
  readonly role: string;
  readonly name?: string;
  /** The name by which playwright finds the element. */
  readonly ref?: string;
  readonly text?: string;
  readonly url?: string;
  readonly placeholder?: string;
  readonly level?: number;
  readonly cursor?: string;
  readonly checked?: boolean | "mixed";
  readonly pressed?: boolean | "mixed";
  readonly disabled?: boolean;
  readonly expanded?: boolean;
  readonly selected?: boolean;
  readonly invalid?: boolean | string;
  readonly active?: boolean;
  readonly box?: Box;
  readonly children?: readonly (TreeNode | string)[];
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** An element or a text of a page. */
export interface Line {
  readonly depth: number;
  readonly text: string;
  /** Lines of a higher relevance are on earlier pages. */
  readonly relevance: number;
}

export interface TreeOptions {
  readonly viewport: Viewport;
  /** Returns true for the content of a field that is not shown. */
  readonly isSecret: (text: string) => boolean;
  /** Returns the number that tools accept for an element. */
  readonly numberOf: (node: TreeNode, ref: string) => number;
}

/** A part of a tree that is short enough for an answer. */
export interface TreePage {
  readonly text: string;
  readonly pages: number;
  /** Elements and texts on this page, and on all pages. */
  readonly shown: number;
  readonly total: number;
}

/** Together with what surrounds it, an answer stays under 10 KB. */
const MAX_PAGE_BYTES = 9000;
const MAX_NAME = 160;
const MAX_TEXT = 400;
const MAX_URL = 120;
const MAX_INDENT = 8;

const CONTROLS = new Set(
  (
    "button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider " +
    "spinbutton switch tab textbox treeitem"
  ).split(" "),
);
/** Roles without a meaning of their own: only what is in them is shown. */
const PLAIN = new Set(["generic", "none", "presentation", "text", "paragraph", "rowgroup"]);
const URGENT = new Set(["alert", "alertdialog", "dialog", "status"]);

/**
 * Returns a page of the tree, from 1. A tree that does not fit on one page has the most relevant lines on the first: controls and texts
 * that are in view, dialogs and headings; the others follow. Lines of a page are in the order of the document.
 */
export function toTreePage(lines: readonly Line[], page = 1): TreePage {
  const pages: Line[][] = [[]];
  let bytes = 0;
  const isWhole = lines.reduce((sum, line) => sum + sizeOf(line), 0) <= MAX_PAGE_BYTES;
  for (const line of isWhole ? lines : lines.toSorted((left, right) => right.relevance - left.relevance)) {
    bytes += sizeOf(line);
    if (bytes > MAX_PAGE_BYTES) {
      pages.push([]);
      bytes = sizeOf(line);
    }
    pages.at(-1)?.push(line);
  }
  const chosen = new Set(pages[page - 1]);
  const text = lines.filter((line) => chosen.has(line)).map(render);
  return { text: text.join("\n"), pages: pages.length, shown: chosen.size, total: lines.length };
}

/** Returns the lines of a tree, in the order of the document. */
export function toLines(nodes: readonly TreeNode[], options: TreeOptions): readonly Line[] {
  const lines: Line[] = [];
  for (const node of nodes) addLines(lines, node, { depth: 0, isUrgent: false, isInView: true, options });
  return lines;
}

/** Returns the lines that have all words of a text, upper and lower case being the same. */
export function matchingLines(lines: readonly Line[], text: string): readonly Line[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    const lower = line.text.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
}

export function render({ depth, text }: Line): string {
  return `${"  ".repeat(Math.min(depth, MAX_INDENT))}${text}`;
}

function sizeOf(line: Line): number {
  return Buffer.byteLength(render(line)) + 1;
}

interface Around {
  readonly depth: number;
  readonly isUrgent: boolean;
  readonly isInView: boolean;
  readonly options: TreeOptions;
}

function addLines(lines: Line[], node: TreeNode | string, around: Around): void {
  if (typeof node === "string") {
    const text = flat(node, MAX_TEXT);
    if (text !== "") lines.push({ depth: around.depth, text, relevance: relevanceOf(2, around) });
    return;
  }
  const isUrgent = around.isUrgent || URGENT.has(node.role);
  const isInView = isVisible(node.box, around);
  const isControl = CONTROLS.has(node.role) || (node.cursor === "pointer" && !PLAIN.has(node.role));
  const isClickable = isControl || node.cursor === "pointer";
  const inside = { ...around, isUrgent, isInView };
  if (PLAIN.has(node.role) && !isClickable) {
    if (node.text !== undefined) addLines(lines, node.text, inside);
    for (const child of node.children ?? []) addLines(lines, child, inside);
    return;
  }
  const text = describe(node, isClickable, around.options);
  const own = isClickable ? 4 : node.role === "heading" ? 3 : 1;
  lines.push({ depth: around.depth, text, relevance: relevanceOf(own, inside) });
  for (const child of node.children ?? []) addLines(lines, child, { ...inside, depth: around.depth + 1 });
}

/** Elements without a size of their own, such as the options of a list, are where the element around them is. */
function isVisible(box: Box | undefined, { isInView, options }: Around): boolean {
  if (box === undefined || (box.width === 0 && box.height === 0)) return isInView;
  const { width, height } = options.viewport;
  return box.y < height && box.y + box.height > 0 && box.x < width && box.x + box.width > 0;
}

function relevanceOf(own: number, { isInView, isUrgent }: Around): number {
  return own + (isInView ? 4 : 0) + (isUrgent ? 8 : 0);
}

/** Returns `[7] button "Save" (disabled)`; the number only for an element that can be clicked. */
function describe(node: TreeNode, isNumbered: boolean, { isSecret, numberOf }: TreeOptions): string {
  const { role, name = "", url, placeholder, level, ref } = node;
  const text = node.text !== undefined && isSecret(node.text) ? "[hidden]" : node.text;
  const number = !isNumbered || ref === undefined ? "" : `[${numberOf(node, ref)}] `;
  const states = statesOf(node);
  return [
    `${number}${role}${level === undefined ? "" : ` ${level}`}`,
    ...(name === "" ? [] : [JSON.stringify(flat(name, MAX_NAME))]),
    ...(states.length === 0 ? [] : [`(${states.join(", ")})`]),
    ...(placeholder === undefined ? [] : [`placeholder ${JSON.stringify(flat(placeholder, MAX_NAME))}`]),
    ...(text === undefined || flat(text, MAX_TEXT) === flat(name, MAX_TEXT)
      ? []
      : [`= ${flat(text, MAX_TEXT)}`]),
    ...(url === undefined ? [] : [`-> ${shortened(url, MAX_URL)}`]),
  ].join(" ");
}

function statesOf(node: TreeNode): readonly string[] {
  const { checked, pressed, invalid } = node;
  return [
    ...(checked === undefined
      ? []
      : [checked === "mixed" ? "partly checked" : checked ? "checked" : "unchecked"]),
    ...(pressed === undefined || pressed === false ? [] : ["pressed"]),
    ...(node.disabled === true ? ["disabled"] : []),
    ...(node.expanded === undefined ? [] : [node.expanded ? "expanded" : "collapsed"]),
    ...(node.selected === true ? ["selected"] : []),
    ...(invalid === undefined || invalid === false ? [] : ["invalid"]),
    ...(node.active === true ? ["focused"] : []),
  ];
}

function flat(text: string, maxCharacters: number): string {
  return shortened(text.replaceAll(/\s+/g, " ").trim(), maxCharacters);
}
