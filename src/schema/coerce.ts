import type { Json } from "../core/json.ts";
import type { Finding } from "../json-schema/shared/types.ts";
import { BOOLEAN, FRACTION, LIST, NUMBER, OBJECT, STRING } from "../json-schema/shared/json-value.ts";
import { attempt } from "../util/async/attempt.ts";
import { copyInput } from "../util/json/copy-json.ts";
import { MAY_HAVE_PROTOTYPE, parseJson } from "../util/json/parse-json.ts";
import { setOwn } from "../util/json/set-own.ts";
import { childOf, keysOf } from "../json-schema/shared/pointer.ts";

/**
 * Coerces in place the values that findings point at, if the result is certain; never guesses and never loses a digit. Returns the
 * value and the paths that were coerced.
 */
export function coerce(
  value: Json,
  findings: readonly Finding[],
): { readonly value: Json; readonly paths: readonly string[] } {
  const holder: Slots = { "": value };
  const paths = new Set<string>();
  for (const finding of findings) {
    if (finding.types === 0 && finding.allowed === undefined) continue;
    const { path } = finding.problem;
    const place = locate(holder, path);
    if (place === undefined || paths.has(path)) continue;
    if (coerceAt(place, finding)) paths.add(path);
  }
  return { value: holder[""] as Json, paths: [...paths] };
}

type Slots = { [key: string]: Json };
interface Place {
  readonly parent: Slots;
  readonly key: string;
}

/** Returns the place of a path; undefined if an earlier change removed it. */
function locate(holder: Slots, path: string): Place | undefined {
  let parent: Json = holder;
  let key = "";
  for (const next of keysOf(path) ?? []) {
    const child = childOf(parent, key);
    if (child === undefined) return undefined;
    parent = child;
    key = next;
  }
  return childOf(parent, key) === undefined ? undefined : { parent: parent as Slots, key };
}

function coerceAt({ parent, key }: Place, finding: Finding): boolean {
  const value = parent[key] as Json;
  if (value === null) {
    if (finding.optional !== true) return false;
    return Reflect.deleteProperty(parent, key);
  }
  const coerced =
    typeof value === "string"
      ? (spelling(value, finding.allowed) ?? fromText(value, finding))
      : toText(value, finding);
  if (coerced === undefined) return false;
  setOwn(parent, key, coerced);
  return true;
}

/** Returns the text of a number or boolean for a property that is text. A number must have all the digits that were written. */
function toText(value: Json, { types, allowed }: Finding): string | undefined {
  if (typeof value !== "boolean" && typeof value !== "number") return undefined;
  const text = String(value);
  if (typeof value === "number" && toNumber(text) === undefined) return undefined;
  return types & STRING || allowed?.includes(text) === true ? text : undefined;
}

/** Returns the only listed word that differs in letter case alone. */
function spelling(value: string, allowed: readonly Json[] | undefined): Json | undefined {
  const lower = value.toLowerCase();
  const same =
    allowed?.filter((choice) => typeof choice === "string" && choice.toLowerCase() === lower) ?? [];
  return same.length === 1 && same[0] !== value ? same[0] : undefined;
}

function fromText(text: string, { types }: Finding): Json | undefined {
  if (types & BOOLEAN && (text === "true" || text === "false")) return text === "true";
  if (types & NUMBER) {
    const number = toNumber(text);
    if (number !== undefined && (types & FRACTION || Number.isInteger(number))) return number;
  }
  return types & (LIST | OBJECT) ? fromJson(text, types) : undefined;
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const LEAST_NORMAL = 2.3e-308;

/** Returns the number that a text is in JSON; undefined if it is something else ("05", "0x10", " 5") or has more digits than a number holds. */
function toNumber(text: string): number | undefined {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return undefined;
  const number = Number(text);
  const isWhole = match[1] === undefined && match[2] === undefined;
  if (isWhole || Number.isInteger(number)) {
    if (!Number.isSafeInteger(number)) return undefined;
    // A fraction that is whole only after rounding has lost digits.
    if (!isWhole && significantDigits(text) > 15) return undefined;
    return number === 0 && /[1-9]/.test(text.replace(/[eE].*/, "")) ? undefined : number;
  }
  if (Math.abs(number) < LEAST_NORMAL) return undefined;
  return significantDigits(text) <= 15 || String(number) === text ? number : undefined;
}

function significantDigits(text: string): number {
  const digits = text.replace(/[eE].*/, "").replace(/[-.]/g, "");
  return digits.replace(/^0+/, "").replace(/0+$/, "").length;
}

/** Returns the list or object that a text is in JSON. */
function fromJson(text: string, types: number): Json | undefined {
  const first = text.trimStart()[0];
  const isWanted = (first === "[" && types & LIST) || (first === "{" && types & OBJECT);
  const value = isWanted && holdsAllDigits(text) ? parseJson(text) : undefined;
  if (value === undefined || !MAY_HAVE_PROTOTYPE.test(text)) return value;
  return attempt(() => copyInput(value));
}

/** Returns false if parsing would round a number. Digits inside strings give false too: then the text is not coerced. */
function holdsAllDigits(text: string): boolean {
  return !/(?<![\w."])\d[\d.]{15,}/.test(text);
}
