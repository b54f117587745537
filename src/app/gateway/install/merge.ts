import { errorMessage } from "../../../util/text/error-message.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { editJsonc, parseJsonc } from "../../config/files/jsonc.ts";

/** Returns the entry as a TOML table. */
export function toToml({ key, name }: Placement, entry: JsonObject): string {
  const lines = Object.entries(entry).map(([field, value]) => `${field} = ${toValue(value)}`);
  return `[${key}.${name}]\n${lines.join("\n")}\n`;
}

/** Returns a TOML text with the table replaced or appended, or without it and the tables below it. Throws if it has the entry in another form. */
export function mergeToml(text: string, placement: Placement, entry: JsonObject | undefined): string {
  const { key, name } = placement;
  const isInline = new RegExp(String.raw`^\s*"?${key}"?\s*[.=]`, "m").test(text);
  if (isInline) throw refused(`it sets ${key} in another form`);
  const lines = text.split("\n");
  const blocks = tablesIn(lines);
  const own = new RegExp(String.raw`^\s*\[\s*"?${key}"?\s*\.\s*["']?${name}["']?\s*(\]|\.)`);
  const remaining = lines.map((line): string | undefined => line);
  const drop = ({ from, to }: Table): void => void remaining.fill(undefined, from, to);
  const tables = blocks.filter(({ from }) => own.test(lines[from] ?? ""));
  const main = tables.find(({ from }) => own.exec(lines[from] ?? "")?.[1] === "]");
  if (entry === undefined) tables.forEach(drop);
  else if (main !== undefined) {
    drop(main);
    remaining[main.from] = toToml(placement, entry).trimEnd();
  }
  const merged = remaining.filter((line) => line !== undefined).join("\n");
  if (entry === undefined || main !== undefined) return merged;
  const gap = text === "" ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  return `${text}${gap}${toToml(placement, entry)}`;
}

/** The lines of a table: its header, up to the last line that belongs to it. */
interface Table {
  readonly from: number;
  readonly to: number;
}

/** Finds the tables of a TOML text. Lines inside of a multi-line string are no headers; comments before a header belong to it. */
function tablesIn(lines: readonly string[]): readonly Table[] {
  const headers: number[] = [];
  let open: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (open === undefined && /^\s*\[\[?[^\]=,]+\]\]?\s*(?:#.*)?$/.test(line)) headers.push(index);
    for (const [mark] of line.matchAll(/"""|'''/g))
      open = open === undefined ? mark : open === mark ? undefined : open;
  }
  if (open !== undefined) throw refused("a multi-line string is not closed");
  return headers.map((from, index) => {
    let to = headers[index + 1] ?? lines.length;
    while (to > from + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1] ?? "")) to -= 1;
    return { from, to };
  });
}

function refused(why: string): ToolError {
  return new ToolError("INVALID_INPUT", `the file cannot be merged into: ${why}`);
}

/** JSON strings are valid TOML strings. */
function toValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((one: Json) => toValue(one)).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll("\u{7f}", String.raw`\u007f`);
  const fields = Object.entries(value).map(([field, one]) => `${JSON.stringify(field)} = ${toValue(one)}`);
  return `{ ${fields.join(", ")} }`;
}

/** The place of an entry: its name, in the object under `key`. */
export interface Placement {
  /** The keys of the objects around it; JSON only. */
  readonly within?: readonly string[];
  readonly key: string;
  readonly name: string;
}

/** Returns a JSON text with the entry added, replaced or removed; everything else stays, comments included. Throws if the text is not JSON. */
export function mergeJson(text: string, placement: Placement, entry: JsonObject | undefined): string {
  const { within = [], key, name } = placement;
  const plain = text.replace(/^\u{feff}/u, "").trimEnd();
  const whole = plain === "" ? {} : parse(plain);
  if (!isObject(whole)) throw refused("it is not an object");
  if (Object.hasOwn(whole, key) && !isObject(whole[key]))
    throw refused(`its ${JSON.stringify(key)} is not an object`);
  const edited = editJsonc(plain, "the file", [...within, key, name], entry);
  const isEmptied = entry === undefined && edited !== plain && isEmptyAt(edited, [...within, key]);
  return `${isEmptied ? editJsonc(edited, "the file", [...within, key], undefined) : edited}\n`;
}

/** Returns true for an object without entries and comments. The text alone does not tell: an object elsewhere may have the same key. */
function isEmptyAt(text: string, path: readonly string[]): boolean {
  const value = path.reduce<Json | undefined>(
    (whole, key) => (isObject(whole) ? whole[key] : undefined),
    parse(text),
  );
  const key = path.at(-1) ?? "";
  if (!isObject(value) || Object.keys(value).length > 0) return false;
  return new RegExp(String.raw`"${key.replaceAll(/[^\w]/g, String.raw`\$&`)}"\s*:\s*\{\s*\}`).test(text);
}

function parse(text: string): Json {
  try {
    return parseJsonc(text, "line");
  } catch (error) {
    throw refused(errorMessage(error));
  }
}
