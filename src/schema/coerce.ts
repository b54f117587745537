import type { Json } from "../core/json.ts";
import type { Finding } from "./problems/finding.ts";
import { BOOLEAN, FRACTION, LIST, NUMBER, OBJECT } from "./problems/json-value.ts";
import { childOf, keysOf } from "./problems/pointer.ts";

/** A value with what could be mended for certain, and the paths of what was. */
export interface Mended {
  readonly value: Json;
  readonly paths: readonly string[];
}

/** Mends in place what findings point at and a schema leaves no doubt about; never guesses and never loses a digit. */
export function coerce(value: Json, findings: readonly Finding[]): Mended {
  const holder: Slots = { "": value };
  const paths = new Set<string>();
  for (const finding of findings) {
    if (finding.types === 0 && finding.allowed === undefined) continue;
    const { path } = finding.problem;
    const place = locate(holder, path);
    if (place === undefined || paths.has(path)) continue;
    if (mendAt(place, finding)) paths.add(path);
  }
  return { value: holder[""] as Json, paths: [...paths] };
}

type Slots = { [key: string]: Json };
interface Place {
  readonly parent: Slots;
  readonly key: string;
}

/** Where a path leads to; undefined where an earlier change took it away. */
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

function mendAt({ parent, key }: Place, finding: Finding): boolean {
  const value = parent[key] as Json;
  if (value === null) {
    if (finding.optional !== true) return false;
    return Reflect.deleteProperty(parent, key);
  }
  if (typeof value !== "string") return false;
  const mended = spelling(value, finding.allowed) ?? fromText(value, finding);
  if (mended === undefined) return false;
  Object.defineProperty(parent, key, { value: mended, enumerable: true, configurable: true, writable: true });
  return true;
}

/** The only listed word that differs in nothing but letter case. */
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

/** The number that a text is in JSON; undefined where the text is another thing ("05", "0x10", " 5") or has more digits than a number holds. */
function toNumber(text: string): number | undefined {
  const match = JSON_NUMBER.exec(text);
  if (match === null) return undefined;
  const number = Number(text);
  const isWhole = match[1] === undefined && match[2] === undefined;
  if (isWhole || Number.isInteger(number)) {
    if (!Number.isSafeInteger(number)) return undefined;
    // A fraction that only rounding made whole has lost digits.
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

/** The list or object that a text is in JSON. */
function fromJson(text: string, types: number): Json | undefined {
  const first = text.trimStart()[0];
  const isWanted = (first === "[" && types & LIST) || (first === "{" && types & OBJECT);
  if (!isWanted) return undefined;
  try {
    return holdsAllDigits(text) ? (JSON.parse(text) as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** False where parsing would round a number. Digits inside strings make it say false too, which only means: not mended. */
function holdsAllDigits(text: string): boolean {
  return !/(?<![\w."])\d[\d.]{15,}/.test(text);
}
