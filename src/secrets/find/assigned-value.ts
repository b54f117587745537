import { isCall } from "./characters.ts";
import { kindOf, type Kind } from "./names.ts";
import type { Range } from "./ranges.ts";
import { closing, lineEnd, MAX_VALUE, valueStart } from "./value-ends.ts";
import { isSecretValue, type ValueContext } from "./values.ts";

/** A text in which assignments are searched for, and where it was read up to: what was read for one name is not read again for the next one. */
export interface Search {
  readonly text: string;
  readonly ranges: Range[];
  cookies: Range;
  bare: Range;
  variable: Range;
}

const NOTHING: Range = [0, 0];

export function searchIn(text: string, ranges: Range[]): Search {
  return { text, ranges, cookies: NOTHING, bare: NOTHING, variable: NOTHING };
}

export interface Named {
  readonly name: string;
  readonly kind: Kind;
  /** Nothing is between the name and a `=`. */
  readonly isDirect: boolean;
}

const SCHEME = /(?:Bearer|Basic|Token|Digest|ApiKey|Api-Key|Negotiate|JWT|Key)[ \t]+/iy;
const BARE = /[^\s"'`\\,;<>(){}[\]|&]+/y;
/** Of a variable everything up to white space is its value. */
const VARIABLE = /[^\s"'`\\]+/y;
const CAPITALS = /^[A-Z][A-Z0-9_]*$/;

/** Adds the place of the value that begins here, if it is a secret. */
export function addValue(search: Search, from: number, named: Named): void {
  const { text, ranges } = search;
  const { at, slashes } = valueStart(text, from);
  const isQuoted = slashes !== undefined;
  if (/cookie$/i.test(named.name)) return addCookies(search, { at, slashes });
  SCHEME.lastIndex = at;
  const hasScheme = SCHEME.test(text);
  const start = hasScheme ? SCHEME.lastIndex : at;
  const isVariable = !isQuoted && named.isDirect && start === from && CAPITALS.test(named.name);
  const end = isQuoted
    ? closing(text, start, slashes, at)
    : bareEnd(search, start, isVariable ? "variable" : "bare");
  if (end <= start || end - start > MAX_VALUE || (!isQuoted && isCall(text.charCodeAt(end)))) return;
  const context = contextOf(named.kind, { isQuoted, hasScheme, isVariable });
  if (isSecretValue(text.slice(start, end), context)) ranges.push([start, end]);
}

/** After `Bearer` and the like, any value is one that logs in. */
function contextOf(
  kind: Kind,
  { isQuoted, hasScheme, isVariable }: Readonly<Record<"isQuoted" | "hasScheme" | "isVariable", boolean>>,
): ValueContext {
  return {
    kind: hasScheme && kind === "maybe" ? "secret" : kind,
    isQuoted: isQuoted || hasScheme,
    isVariable,
  };
}

function bareEnd(search: Search, at: number, kind: "bare" | "variable"): number {
  const { text } = search;
  const [start, known] = search[kind];
  if (at >= start && at < known) return known;
  const pattern = kind === "bare" ? BARE : VARIABLE;
  pattern.lastIndex = at;
  const end = pattern.test(text) ? pattern.lastIndex : at;
  search[kind] = [at, end];
  return end;
}

const COOKIE = /(?:^|[\s;])([^\s;=]{1,64})=([^\s;"]+)/g;

/** Adds the values of cookies that look generated. */
function addCookies(
  search: Search,
  { at: from, slashes }: { readonly at: number; readonly slashes: number | undefined },
): void {
  const { text, ranges } = search;
  if (from >= search.cookies[0] && from < search.cookies[1]) return;
  const end = slashes === undefined ? lineEnd(text, from) : closing(text, from, slashes);
  search.cookies = [from, end];
  for (const match of text.slice(from, end).matchAll(COOKIE)) {
    const [whole, name = "", value = ""] = match;
    const kind = kindOf(name) ?? "maybe";
    const start = from + match.index + whole.length - value.length;
    if (isSecretValue(value, { kind, isQuoted: true, isVariable: kind === "maybe" }))
      ranges.push([start, start + value.length]);
  }
}
