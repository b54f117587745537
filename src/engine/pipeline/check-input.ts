import { isObject } from "../../core/json.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Fault, Problem } from "../../core/result.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { Parsed } from "../../core/tool.ts";
import { copyJson, setOwn } from "../../util/json/copy-json.ts";
import { MASK } from "../../util/text/mask.ts";
import { mayHaveSafeKeys } from "./may-have-safe-keys.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";
import { fromSafeKeys } from "../registry/provider-shapes.ts";
import { NO_PRESETS, propertiesOf } from "../registry/presets.ts";
import type { Entry } from "../registry/registry.ts";
import { describeProblems } from "../../schema/validate.ts";

/** Station: makes the input its own copy, under the tool's parameter names, valid against the shown schema. */
export function checkInput(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const entry = given(passage.entry, "tool");
  const input = withOwnKeys(readInput(passage), entry);
  const misnamed = isObject(input) ? misnamedParameters(input, entry, passage.renames) : undefined;
  if (misnamed !== undefined) return invalid(entry, misnamed);
  const checked = entry.validator.check(isObject(input) ? renamed(input, passage.renames) : input);
  if (!checked.ok && "unusable" in checked) return unusable(entry, checked.unusable);
  if (!checked.ok) return invalid(entry, checked.problems);
  if (!isObject(checked.value)) return invalid(entry, [notAnObject(checked.value)]);
  passage.coerced = checked.coerced;
  return parse(passage, entry, checked.value);
}

/** The input as a value that nobody else holds. JSON text, as some providers send it, is read; nothing is no parameters. */
function readInput({ call, replacement }: Passage): Json {
  const input = replacement ?? call.input;
  if (typeof input === "string" && input !== "") return parseJson(input) ?? input;
  const copy = copyJson(input, "INVALID_INPUT");
  return copy === null || copy === "" ? {} : copy;
}

/** Parameters that a provider was shown under safer names, under their own again. */
function withOwnKeys(input: Json, entry: Entry): Json {
  entry.mayHaveSafeKeys ??= mayHaveSafeKeys(entry.shown);
  return entry.mayHaveSafeKeys && isObject(input) ? fromSafeKeys(input, entry.shown) : input;
}

/** Keeps a valid input, after the schema library's own parse where the tool has one. */
function parse(passage: Passage, entry: Entry, input: JsonObject): StationOutcome | Promise<StationOutcome> {
  const { tool } = entry;
  if ((tool.effects === "unsafe" || tool.effects === "idempotent") && containsMask(input))
    return masked(entry);
  passage.input = input;
  if (tool.parse === undefined) return undefined;
  const keep = (parsed: Parsed): StationOutcome => {
    if ("problems" in parsed) return invalid(entry, parsed.problems);
    const value = copyJson(parsed.value, "INVALID_INPUT");
    if (!isObject(value)) return invalid(entry, [notAnObject(value)]);
    passage.input = value;
    return undefined;
  };
  const parsed = tool.parse(input);
  return parsed instanceof Promise ? passage.orCancelled(parsed).then(keep) : keep(parsed);
}

/** Parameters under two of their names at once, and hidden ones that a model tries to set. */
function misnamedParameters(
  input: JsonObject,
  entry: Entry,
  renames: Readonly<Record<string, string>> | undefined,
): readonly Problem[] | undefined {
  if (renames === undefined && entry.hidden === NO_PRESETS) return undefined;
  const problems: Problem[] = [];
  for (const name of Object.keys(entry.hidden)) {
    if (Object.hasOwn(input, name)) problems.push(unknownParameter(name, entry));
  }
  for (const [alias, target] of Object.entries(renames ?? {})) {
    if (!Object.hasOwn(input, alias)) continue;
    if (Object.hasOwn(entry.hidden, target)) problems.push(unknownParameter(alias, entry));
    if (!Object.hasOwn(input, target)) continue;
    const expected = `${target} or ${alias}, which are the same parameter`;
    problems.push({ kind: "value", path: `/${alias}`, expected, got: "both" });
  }
  return problems.length === 0 ? undefined : problems;
}

function unknownParameter(name: string, entry: Entry): Problem {
  const names = Object.keys(propertiesOf(entry.shown));
  return { kind: "unknown", path: `/${name}`, expected: `one of ${names.join(", ")}`, got: name };
}

function renamed(input: JsonObject, renames: Readonly<Record<string, string>> | undefined): JsonObject {
  if (renames === undefined || !Object.keys(input).some((key) => Object.hasOwn(renames, key))) return input;
  const target: Record<string, Json> = {};
  for (const [key, value] of Object.entries(input)) {
    setOwn(target, Object.hasOwn(renames, key) ? (renames[key] ?? key) : key, value);
  }
  return target;
}

/** A mask that comes back was copied from an answer: acting on it would write the mask where the secret was. */
function containsMask(value: Json): boolean {
  if (typeof value === "string") return value.includes(MASK);
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(containsMask);
}

function masked({ tool }: Entry): Fault {
  return {
    code: "INVALID_INPUT",
    message: `the input of "${tool.name}" contains ${MASK}, which stands for a secret you were not shown`,
    hint: "leave the masked part out of the change, for instance by editing the lines around it",
  };
}

function invalid({ tool }: Entry, problems: readonly Problem[]): Fault {
  return {
    code: "INVALID_INPUT",
    message: `invalid input for "${tool.name}": ${describeProblems(problems)}`,
    details: { problems: problems as unknown as readonly JsonObject[] },
  };
}

function unusable({ tool }: Entry, reason: string): Fault {
  return {
    code: "TOOL_DISABLED",
    message: `"${tool.name}" is disabled: its input schema cannot be used (${reason})`,
    hint: `mend the schema at its source: ${tool.source}`,
  };
}

function notAnObject(value: Json): Problem {
  const got = Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return { kind: "type", path: "", expected: "an object with the tool's parameters", got };
}
