import { ToolError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { createValidator } from "../../schema/validate.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import {
  OVERRIDABLE,
  PRESET,
  type OverridablePreset,
  type PlainPreset,
  type Presets,
} from "../types/registry.ts";

/** Returns a preset that the model may override: it is shown as a default instead of being hidden. */
export function overridable(value: Json): OverridablePreset {
  return { [OVERRIDABLE]: value };
}

/** Returns a hidden preset; with `isSecret: false`, its text is not masked elsewhere. */
export function preset(value: Json, { isSecret }: { readonly isSecret: boolean }): Json | PlainPreset {
  return isSecret ? value : { [PRESET]: value };
}

/** The hidden preset values of a tool, and the schema that the model is shown. */
interface AppliedPresets {
  /** Whether a preset needs a validator that is not loaded yet: then its value is as it was given. */
  readonly isUnchecked: boolean;
  readonly hidden: JsonObject;
  readonly secrets: readonly Json[];
  readonly shown: JsonObject;
}

/** The hidden values of a tool without presets. */
export const NO_PRESETS: JsonObject = Object.freeze({});
const NO_SECRETS: readonly Json[] = [];

/** Splits presets into hidden values and shown defaults. Throws for a parameter that the tool does not have. */
export function applyPresets(tool: Tool, presets: Presets | undefined): AppliedPresets {
  if (presets === undefined && tool.inject === undefined)
    return { isUnchecked: false, hidden: NO_PRESETS, secrets: NO_SECRETS, shown: tool.input };
  const properties = { ...propertiesOf(tool.input) };
  const hidden: Record<string, Json> = {};
  const secrets: Json[] = [];
  let isUnchecked = false;
  const filled = new Set<string>(Object.keys(tool.inject ?? {}));
  for (const [name, presetValue] of Object.entries(presets ?? {})) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined)
      throw new ToolError("INVALID_INPUT", `tool "${tool.name}" has no parameter "${name}" to preset`, {
        hint: `its parameters: ${Object.keys(propertiesOf(tool.input)).join(", ") || "none"}`,
      });
    filled.add(name);
    const fit = fitted(tool, name, valueOf(presetValue));
    const value = fit === undefined ? copyJson(valueOf(presetValue), "INVALID_INPUT") : fit;
    isUnchecked ||= fit === undefined;
    if (isOverridable(presetValue)) {
      properties[name] = { ...(isObject(property) ? property : {}), default: value };
      continue;
    }
    hidden[name] = value;
    // A text may have become another value: both are secret.
    if (!isPlain(presetValue)) secrets.push(presetValue, value);
    delete properties[name];
  }
  const visibleInput = { ...tool.input, properties, ...requiredWithout(tool.input, filled) };
  return { isUnchecked, hidden, secrets, shown: visibleInput };
}

/**
 * Returns the value as its parameter takes it, coerced like input; undefined if that cannot be checked yet. Throws if it does not match the
 * schema of the parameter: a tool never runs on invalid input.
 */
function fitted({ name: tool, input }: Tool, name: string, value: Json): Json | undefined {
  const { $defs, definitions } = input;
  const schema = { type: "object", properties: propertiesOf(input), required: [name] };
  const document = value === undefined ? {} : { [name]: copyJson(value, "INVALID_INPUT") };
  const validator = createValidator({ ...schema, ...defined({ $defs, definitions }) }, { defaults: false });
  if (validator.prepare() !== undefined) return undefined;
  const checked = validator.check(document);
  const [wrong] = checked.ok || "unusable" in checked ? [] : checked.problems;
  if (wrong === undefined) return document[name] ?? null;
  // The value may be a secret.
  const message = `the preset for "${name}" of tool "${tool}" does not match its schema: expected ${wrong.expected}`;
  throw new ToolError("INVALID_INPUT", message);
}

/** Returns the properties of an object schema, or an empty object. */
export function propertiesOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isObject(properties) ? properties : NO_PRESETS;
}

function valueOf(preset: Presets[string]): Json {
  if (isOverridable(preset)) return preset[OVERRIDABLE];
  return isPlain(preset) ? preset[PRESET] : preset;
}

function isOverridable(preset: Presets[string]): preset is OverridablePreset {
  return typeof preset === "object" && preset !== null && OVERRIDABLE in preset;
}

function isPlain(preset: Json | PlainPreset): preset is PlainPreset {
  return typeof preset === "object" && preset !== null && PRESET in preset;
}

function requiredWithout(schema: JsonObject, filled: ReadonlySet<string>): JsonObject {
  if (!Array.isArray(schema["required"])) return NO_PRESETS;
  return { required: schema["required"].filter((name) => !filled.has(String(name))) };
}
