import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Fault, Problem } from "../../core/result.ts";
import type { Parsed } from "../../core/tool.ts";
import { describeProblems, listNames } from "../../json-schema/problems/findings.ts";
import { copyInput } from "../../util/json/copy-json.ts";
import { isTooDeep, MAY_HAVE_PROTOTYPE, parseExact } from "../../util/json/parse-json.ts";
import { MASK } from "../../secrets/mask.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { mayRenameParameters, toOriginalParameters } from "../../formats/parameter-names.ts";
import { NO_PRESETS, propertiesOf } from "../registry/presets.ts";
import { misspelledParameters, withoutAliases } from "../registry/rename-parameters.ts";
import { prepareValidators } from "../registry/registry.ts";
import type { ToolEntry } from "../types/tool-entry.ts";

/** Stage: copies the input, restores the tool's parameter names and validates the copy against the shown schema. */
export function checkInput(state: CallState): StageOutcome | Promise<StageOutcome> {
  const entry = required(state.entry, "tool");
  const preparing = prepareEntry(entry);
  return preparing === undefined ? check(state, entry) : preparing.then(() => check(state, entry));
}

/** Loads what the tool's schemas need: a promise if that is not loaded yet. */
function prepareEntry(entry: ToolEntry): Promise<void> | undefined {
  const { checkPresets, validators } = entry;
  if (checkPresets === undefined) return prepareValidators(validators);
  return checkPresets().then(() => prepareValidators(validators));
}

function check(state: CallState, entry: ToolEntry): StageOutcome | Promise<StageOutcome> {
  const rawInput = state.replacement ?? state.call.input;
  if (typeof rawInput === "string" && rawInput.trim() !== "") return checkText(state, entry, rawInput);
  const copy = copyInput(rawInput);
  return checkValue(state, entry, copy === null || typeof copy === "string" ? {} : copy);
}

/** JSON text, as some providers send it, is parsed; its repair is loaded by the first text that needs one. */
function checkText(state: CallState, entry: ToolEntry, text: string): StageOutcome | Promise<StageOutcome> {
  const value = parseExact(text);
  if (value !== undefined)
    return isTooDeep(value, text)
      ? UNREADABLE
      : checkValue(state, entry, MAY_HAVE_PROTOTYPE.test(text) ? copyInput(value) : value);
  return import("../../util/json/repair-json.ts").then(({ repairJson }) => {
    // Whether the text was cut off is not known here.
    const repaired = repairJson(text, { isWhole: false });
    if (repaired === undefined) return UNREADABLE;
    state.isRepaired = true;
    return checkValue(state, entry, copyInput(repaired.value));
  });
}

function checkValue(state: CallState, entry: ToolEntry, given: Json): StageOutcome | Promise<StageOutcome> {
  const input = withOriginalNames(given, entry);
  const aliases = state.parameterAliases;
  const misnamed = isObject(input) ? misnamedParameters(input, entry, aliases) : undefined;
  if (misnamed !== undefined) return invalidInput(state, misnamed);
  const named = aliases !== undefined && isObject(input) ? withoutAliases(input, aliases) : input;
  const checked = entry.validators.input.check(named);
  if (!checked.ok && "unusable" in checked) return unusable(entry, checked.unusable);
  if (!checked.ok) {
    const misspelled = misspelledParameters(named, propertiesOf(entry.shown), checked.problems);
    return invalidInput(state, [...checked.problems, ...misspelled]);
  }
  if (!isObject(checked.value)) return invalidInput(state, [notAnObject(checked.value)]);
  state.coerced = checked.coerced;
  return parse(state, entry, checked.value);
}

/** The fault of JSON text without a certain meaning. */
const UNREADABLE: Fault = {
  code: "UNREADABLE_CALL",
  message: "the input is text that is not valid JSON",
  hint: "send the call again, as valid JSON",
};

/** Restores the names of parameters that a provider was shown under safer names. */
function withOriginalNames(input: Json, entry: ToolEntry): Json {
  entry.mayRenameParameters ??= mayRenameParameters(entry.shown);
  return entry.mayRenameParameters && isObject(input) ? toOriginalParameters(input, entry.shown) : input;
}

/** Writes the valid input, after the schema library's own parse if the tool has one. */
function parse(state: CallState, entry: ToolEntry, input: JsonObject): StageOutcome | Promise<StageOutcome> {
  const { tool } = entry;
  if ((tool.effects === "unsafe" || tool.effects === "idempotent") && containsMask(input))
    return masked(entry);
  state.input = input;
  if (tool.parse === undefined) return undefined;
  const accept = (parsed: Parsed): StageOutcome => {
    if ("problems" in parsed) return invalidInput(state, parsed.problems);
    const value = copyInput(parsed.value);
    if (!isObject(value)) return invalidInput(state, [notAnObject(value)]);
    state.input = value;
    return undefined;
  };
  const parsed = tool.parse(input);
  return parsed instanceof Promise ? state.orCancelled(parsed).then(accept) : accept(parsed);
}

/** Returns parameters given under two names at once, and hidden parameters that the model tries to set. */
function misnamedParameters(
  input: JsonObject,
  entry: ToolEntry,
  aliases: Readonly<Record<string, string>> | undefined,
): readonly Problem[] | undefined {
  if (aliases === undefined && entry.hidden === NO_PRESETS) return undefined;
  const problems: Problem[] = [];
  for (const name of Object.keys(entry.hidden)) {
    if (Object.hasOwn(input, name)) problems.push(unknownParameter(name, entry));
  }
  for (const [alias, target] of Object.entries(aliases ?? {})) {
    if (!Object.hasOwn(input, alias)) continue;
    if (Object.hasOwn(entry.hidden, target)) problems.push(unknownParameter(alias, entry));
    if (!Object.hasOwn(input, target)) continue;
    const expected = `${target} or ${alias}, which are the same parameter`;
    problems.push({ kind: "value", path: `/${alias}`, expected, got: "both" });
  }
  return problems.length === 0 ? undefined : problems;
}

function unknownParameter(name: string, entry: ToolEntry): Problem {
  const names = Object.keys(propertiesOf(entry.shown));
  return { kind: "unknown", path: `/${name}`, expected: listNames(names), got: JSON.stringify(name) };
}

/** Returns whether a mask was copied from an answer into the input, where it would overwrite the secret. */
function containsMask(value: Json): boolean {
  if (typeof value === "string") return value.includes(MASK);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(containsMask);
  return Object.keys(value).some(containsMask) || Object.values(value).some(containsMask);
}

function masked({ tool }: ToolEntry): Fault {
  return {
    code: "INVALID_INPUT",
    message: `the input of "${tool.name}" contains ${MASK}, which stands for a secret that is not shown`,
    hint: "leave the masked part out of the change, for instance by editing the lines around it",
  };
}

/** Returns the fault of an input with problems. */
export function invalidInput({ entry, call }: CallState, problems: readonly Problem[]): Fault {
  const { name } = required(entry, "tool").tool;
  const called = call.name === name ? `"${name}"` : `"${call.name}", which is "${name}"`;
  return {
    code: "INVALID_INPUT",
    message: `invalid input for ${called}: ${describeProblems(problems)}`,
    details: { problems: problems as unknown as readonly JsonObject[] },
  };
}

function unusable({ tool }: ToolEntry, reason: string): Fault {
  return {
    code: "TOOL_DISABLED",
    message: `"${tool.name}" is disabled: its input schema cannot be used (${reason})`,
    hint: `fix the schema at its source: ${tool.source}`,
  };
}

function notAnObject(value: Json): Problem {
  const got = Array.isArray(value) ? "a list" : `a ${typeof value}`;
  return { kind: "type", path: "", expected: "an object with the tool's parameters", got };
}
