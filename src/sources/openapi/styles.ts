// How OpenAPI writes values as text: the styles of parameters and of the fields of forms.
import { isObject, type Json } from "../../core/json.ts";

/** How lists and objects are written: see the styles of OpenAPI. `json` is JSON; `field` repeats a list and writes objects as JSON. */
export interface Style {
  readonly style: string;
  readonly explode: boolean;
}

/** Returns a style with the default of `explode`. */
export function styleOf(style: string, explode: Json | undefined): Style {
  return { style, explode: typeof explode === "boolean" ? explode : style === "form" };
}

type Pair = readonly [name: string, value: string];

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: " ", pipeDelimited: "|" };

/** Returns the pairs of names and texts that a value is in a query or a form. Null is left out. */
export function queryPairs(
  { name, style, explode }: Style & { readonly name: string },
  value: Json,
): readonly Pair[] {
  if (value === null) return [];
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (style === "deepObject") return deepPairs(name, value);
  if (Array.isArray(value)) {
    const texts = (value as readonly Json[]).map(plainText);
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(DELIMITERS[style] ?? ",")]];
  }
  if (!isObject(value) || style === "field") return [[name, plainText(value)]];
  const entries = Object.entries(value).map(([key, one]) => [key, plainText(one)] as const);
  return explode ? entries : [[name, entries.flat().join(DELIMITERS[style] ?? ",")]];
}

/** OpenAPI does not define lists and deeper objects: they are written as most servers read them, `a[0][b]`. */
function deepPairs(name: string, value: Json): readonly Pair[] {
  if (!isObject(value) && !Array.isArray(value)) return [[name, plainText(value)]];
  return Object.entries(value).flatMap(([key, one]) => deepPairs(`${name}[${key}]`, one as Json));
}

/** Returns a value as one text, without the name of its parameter: `a,b`, `R,100,G,200`, or with `=` between key and value. */
export function listText(
  value: Json,
  toText: (one: Json) => string,
  { between = ",", pair = "," }: { readonly between?: string; readonly pair?: string } = {},
): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map(toText).join(between);
  if (!isObject(value)) return toText(value);
  return Object.entries(value)
    .map(([key, one]) => `${toText(key)}${pair}${toText(one)}`)
    .join(between);
}

export function plainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
