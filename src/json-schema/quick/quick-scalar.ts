import type { Json, JsonObject } from "../../core/json.ts";
import { add, unmet } from "../problems/findings.ts";
import type { Format } from "../patterns/format-table.ts";
import { loadedFormats } from "../patterns/formats.ts";
import { INTEGER, NUMBER } from "../shared/json-value.ts";
import type { Compilation, Rule } from "../shared/types.ts";
import { numberAt } from "./keyword-forms.ts";

/** Compiles the keywords about numbers; undefined if the schema has none. Other types are refused if `types` has only numbers. */
export function compileNumber(schema: JsonObject, on: Compilation, types: number): Rule | undefined {
  const least = numberAt(schema, "minimum");
  const most = numberAt(schema, "maximum");
  const above = numberAt(schema, "exclusiveMinimum");
  const beneath = numberAt(schema, "exclusiveMaximum");
  const step = numberAt(schema, "multipleOf");
  const format = formatFor("number", schema, on);
  if ([least, most, above, beneath, step, format].every((limit) => limit === undefined)) return undefined;

  const other = (types & ~NUMBER) !== 0;
  const isNumber = (types & NUMBER) === INTEGER ? Number.isInteger : Number.isFinite;
  const low = Math.max(least ?? -Infinity, above ?? -Infinity);
  const high = Math.min(most ?? Infinity, beneath ?? Infinity);
  const check = (value: Json): boolean => {
    if (typeof value !== "number") return other;
    if (!isNumber(value)) return false;
    if (value < low || value > high || value === above || value === beneath) return false;
    if (step !== undefined && !isMultiple(value, step)) return false;
    return format === undefined || format.test(value);
  };
  const explain: Rule["explain"] = (value, path, report) => {
    if (typeof value !== "number") return;
    const fail = (keyword: string): void => add(report, unmet(keyword, schema, value, path));
    if (least !== undefined && value < least) fail("minimum");
    if (most !== undefined && value > most) fail("maximum");
    if (above !== undefined && value <= above) fail("exclusiveMinimum");
    if (beneath !== undefined && value >= beneath) fail("exclusiveMaximum");
    if (step !== undefined && !isMultiple(value, step)) fail("multipleOf");
    if (format !== undefined && !format.test(value)) fail("format");
  };
  return { check, explain };
}

/** Compiles the keywords about strings; undefined if the schema has none. `other` is the result for a value that is not a string. */
export function compileString(
  schema: JsonObject,
  on: Compilation,
  { acceptsOthers: other }: { readonly acceptsOthers: boolean },
): Rule | undefined {
  const least = numberAt(schema, "minLength");
  const most = numberAt(schema, "maxLength");
  const source = schema["pattern"];
  const pattern = typeof source === "string" ? on.pattern(source) : undefined;
  const format = formatFor("string", schema, on);
  if ([least, most, pattern, format].every((limit) => limit === undefined)) return undefined;

  const shortest = least ?? 0;
  const longest = most ?? Infinity;
  const fits = (value: string): boolean => hasAtLeast(value, shortest) && !hasAtLeast(value, longest + 1);
  const check = (value: Json): boolean => {
    if (typeof value !== "string") return other;
    // Between these limits no text is too short or too long, however many of its characters take two units.
    const isCertain = value.length >= 2 * shortest - 1 && value.length <= longest;
    if (!isCertain && !fits(value)) return false;
    if (pattern !== undefined && !pattern.test(value)) return false;
    return format === undefined || format.test(value);
  };
  const explain: Rule["explain"] = (value, path, report) => {
    if (typeof value !== "string") return;
    const fail = (keyword: string): void => add(report, unmet(keyword, schema, value, path));
    if (!hasAtLeast(value, shortest)) fail("minLength");
    if (hasAtLeast(value, longest + 1)) fail("maxLength");
    if (pattern !== undefined && !pattern.test(value)) fail("pattern");
    if (format !== undefined && !format.test(value)) fail("format");
  };
  return { check, explain };
}

/** Allows for rounding: 19.99 is a multiple of 0.01 although 19.99 / 0.01 is not whole in floating point. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  if (Number.isInteger(step) && Number.isInteger(value)) return value % step === 0;
  return (
    Number.isFinite(times) && Math.abs(Math.round(times) - times) < 1e-9 * Math.max(1, Math.abs(times) / 1e6)
  );
}

/** Counts code points, but only if the number of code units does not decide. */
function hasAtLeast(text: string, count: number): boolean {
  if (text.length < count) return false;
  if (text.length >= 2 * count) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points >= count;
}

function formatFor(kind: Format["kind"], schema: JsonObject, on: Compilation): Format | undefined {
  const name = schema["format"];
  if (typeof name !== "string" || !on.assertFormats) return undefined;
  const formats = loadedFormats();
  if (formats === undefined) on.leave("format");
  const format = formats?.formatOf(name);
  return format?.kind === kind ? format : undefined;
}
