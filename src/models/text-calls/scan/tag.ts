import type { Source, Step } from "./scan.ts";

/** How tags are written: as in XML, between special tokens (Kimi K3), or after one (MiniMax M3). */
export type TagForm = "xml" | "tokens" | "minimax";

/** A tag, opening or closing. */
export interface Tag {
  readonly form: TagForm;
  /** Lower case, without namespace. */
  readonly name: string;
  /** The name as the model wrote it. */
  readonly written: string;
  /** The value after `<name=`. */
  readonly value?: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isClosing: boolean;
  readonly isSelfClosing: boolean;
  readonly length: number;
}

/** Anything longer is text. */
const MAX_TAG = 512;
const MINIMAX = "]<]minimax[>[";
const NAME = String.raw`[\p{L}_](?:(?!Ġ)[\p{L}\p{N}_.-])*(?::[\p{L}\p{N}_.-]+)?`;
const QUOTED = String.raw`"[^"<>]*"|'[^'<>]*'`;
/** Some servers leave their tokenizer's sign for a space in the text. */
const SPACE = String.raw`[\sĠ]`;
const ATTRIBUTES = String.raw`(?:${SPACE}+[\w:-]+\s*=\s*(?:${QUOTED}|[^\s"'<>=]+))*`;
const XML = new RegExp(
  String.raw`<\s?(\/?)\s?(?:[｜|]DSML[｜|])?(${NAME})(?:\s*=\s*(${QUOTED}|[^<>"'=]+?)["']?)?(${ATTRIBUTES})\s*(\/?)>`,
  "uy",
);
const TOKENS = new RegExp(String.raw`<\|(open|close)\|>\s?(${NAME})(${ATTRIBUTES})\s*<\|sep\|>`, "uy");
const ATTRIBUTE = new RegExp(String.raw`([\w:-]+)\s*=\s*(${QUOTED}|[^\s"'<>=]+)`, "g");

/** Returns the tag at the cursor without taking it, or undefined. */
export function* peekTag(source: Source): Step<Tag | undefined> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + MAX_TAG);
    const tag = tagAt(text);
    if (tag !== "unsure") return tag;
    if (text.length >= MAX_TAG || !(yield* source.more())) return undefined;
  }
}

/** Returns the tag that the text begins with; "unsure" if that depends on text that is still to come. */
function tagAt(text: string): Tag | undefined | "unsure" {
  if (text.startsWith("]") || text === "") return minimaxTag(text);
  const isTokens = /^<\|(?:open|close)\|>/.test(text);
  if (isTokens) return tokensTag(text);
  const isUnsure = "<|open|>".startsWith(text) || "<|close|>".startsWith(text);
  return isUnsure ? "unsure" : xmlTag(text);
}

function minimaxTag(text: string): Tag | undefined | "unsure" {
  if (!text.startsWith(MINIMAX)) return MINIMAX.startsWith(text) ? "unsure" : undefined;
  const rest = text.slice(MINIMAX.length).trimStart();
  if (rest === "") return "unsure";
  const tag = xmlTag(rest);
  if (typeof tag !== "object") return tag;
  return { ...tag, form: "minimax", length: text.length - rest.length + tag.length };
}

function xmlTag(text: string): Tag | undefined | "unsure" {
  if (!text.startsWith("<")) return undefined;
  XML.lastIndex = 0;
  const xmlMatch = XML.exec(text);
  if (xmlMatch === null) return text.indexOf(">") < 0 && text.indexOf("<", 1) < 0 ? "unsure" : undefined;
  const [whole, slash, word = "", sign, attributes = "", end] = xmlMatch;
  const { written, value, name } = splitName(word, sign === undefined ? undefined : unquote(sign.trim()));
  return {
    form: "xml",
    name: canonicalName(written),
    written,
    ...(value === undefined ? {} : { value }),
    attributes: { ...readAttributes(attributes), ...(name === undefined ? {} : { name }) },
    isClosing: slash === "/",
    isSelfClosing: end === "/",
    length: whole.length,
  };
}

/** Splits `<functionname="…">`, which lacks the space before its attribute. */
function splitName(
  word: string,
  value: string | undefined,
): { readonly written: string; readonly value?: string | undefined; readonly name?: string | undefined } {
  const [, tag] = /^(function|invoke|parameter|param)name$/i.exec(word) ?? [];
  return tag === undefined || value === undefined ? { written: word, value } : { written: tag, name: value };
}

function tokensTag(text: string): Tag | undefined | "unsure" {
  TOKENS.lastIndex = 0;
  const tokenMatch = TOKENS.exec(text);
  if (tokenMatch === null) return text.includes("<|sep|>") ? undefined : "unsure";
  const [whole, kind, name = "", attributes = ""] = tokenMatch;
  return {
    form: "tokens",
    name: canonicalName(name),
    written: name,
    attributes: readAttributes(attributes),
    isClosing: kind === "close",
    isSelfClosing: false,
    length: whole.length,
  };
}

/** Names with a suffix after the colon; in all others a namespace precedes it. */
const SUFFIXED = /^(?:tool_calls?|tool_sep|arg_key|arg_value|think):/;

/** Returns a tag's name in lower case, without namespace or suffix. */
export function canonicalName(tag: string): string {
  const name = tag
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/^longcat_/, "");
  const colon = name.indexOf(":");
  if (colon < 0) return name;
  return SUFFIXED.test(name) ? name.slice(0, colon) : name.slice(colon + 1);
}

function readAttributes(text: string): Readonly<Record<string, string>> {
  if (text === "") return {};
  const attributeMatches = [...text.matchAll(ATTRIBUTE)];
  return Object.fromEntries(
    attributeMatches.map(([, key = "", value = ""]) => [key.toLowerCase(), decodeEntities(unquote(value))]),
  );
}

function unquote(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value.replace(/^["']|["']$/g, "");
}

const PREFIX = String.raw`(?:[｜|]DSML[｜|]|[\w.-]{1,24}:|longcat_)?`;

/** Returns the source of a pattern for the closing tag of this form and name. */
export function closingSource(form: TagForm, name: string): string {
  const word = wordSource(name);
  if (form === "tokens") return String.raw`<\|close\|>\s?${word}\s?<\|sep\|>`;
  return String.raw`${lead(form)}<\s?\/\s?${PREFIX}${word}(?::[\w.-]{1,24})?\s{0,8}>`;
}

/** Returns the source of a pattern for the beginning of an opening tag of one of these names, up to what `sign` matches after the name. */
export function openingSource(
  form: TagForm,
  name: string | readonly string[],
  sign = String.raw`[\s=<>:]`,
): string {
  const word = wordSource(name);
  if (form === "tokens") return String.raw`<\|open\|>\s?${word}${sign}`;
  return String.raw`${lead(form)}<\s?${PREFIX}${word}${sign}`;
}

function lead(form: TagForm): string {
  return form === "minimax" ? String.raw`\]<\]minimax\[>\[\s{0,8}` : "";
}

function wordSource(name: string | readonly string[]): string {
  if (typeof name !== "string") return `(?:${name.map(wordSource).join("|")})`;
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/[-_]/g, "[-_]");
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** Decodes XML entities. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(lt|gt|amp|quot|apos|nbsp));/g, decodeEntity);
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0x10ffff ? whole : String.fromCodePoint(code);
}

/** A special token: `<|name|>`, `<｜name｜>`, or Gemma's `<|name>` and `<name|>`. */
export interface Token {
  /** Lower case, with `_` for every kind of gap. */
  readonly name: string;
  readonly length: number;
}

const MAX_TOKEN = 48;
const WHOLE = /<[|｜]([^<>|｜\n]{1,40})[|｜]>/y;
const HALF = /<(?:\|(tool_call)>|(tool_call)\|>)/y;

/** Returns the special token at the cursor without taking it, or undefined. */
export function* peekToken(source: Source): Step<Token | undefined> {
  for (;;) {
    const text = source.window.slice(source.at, source.at + MAX_TOKEN);
    const token = tokenAt(text);
    if (token !== undefined) return token;
    if (text !== "" && !text.startsWith("<")) return undefined;
    const isOpen = text.indexOf(">") < 0 && text.indexOf("<", 1) < 0 && text.indexOf("\n") < 0;
    if (!isOpen || text.length >= MAX_TOKEN || !(yield* source.more())) return undefined;
  }
}

function tokenAt(text: string): Token | undefined {
  WHOLE.lastIndex = 0;
  const whole = WHOLE.exec(text);
  if (whole !== null) return { name: canonical(whole[1] ?? ""), length: whole[0].length };
  HALF.lastIndex = 0;
  const half = HALF.exec(text);
  if (half === null) return undefined;
  return { name: half[1] === undefined ? "half_tool_call_end" : "half_tool_call", length: half[0].length };
}

function canonical(written: string): string {
  return written.toLowerCase().replaceAll(/\\?_|▁|[ -]/g, "_");
}

/** Returns the source of a pattern for a token of this name. */
export function tokenPattern(name: string): string {
  if (name === "half_tool_call") return String.raw`<\|tool_call>`;
  if (name === "half_tool_call_end") return String.raw`<tool_call\|>`;
  return String.raw`<[|｜]${name.replaceAll("_", String.raw`(?:\\?_|▁|[ -])`)}[|｜]>`;
}
