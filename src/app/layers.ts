import { ToolError } from "../core/errors.ts";
import { nearHint } from "./near-hint.ts";
import type { Setting, Settings } from "./settings.ts";
import { SETTINGS } from "./settings.ts";

/** One place where settings are written, and what is written there. */
export interface Layer {
  readonly kind: "user" | "profile" | "project" | "environment" | "flag";
  /** Says where, for people. */
  readonly from: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** How this place names a setting: a flag, a variable, or the setting's own key. */
  readonly nameOf: (key: keyof Settings) => string | undefined;
  /** Where relative paths begin, in a place that allows them. */
  readonly cwd?: string;
}

/** A setting's value and where it came from. */
export interface Origin {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
}

export interface Resolved {
  readonly settings: Settings;
  readonly origins: readonly Origin[];
  readonly warnings: readonly string[];
}

/** Lays the layers over each other, the last one on top. A project's file only tightens what lies below it. */
export function resolveLayers(layers: readonly Layer[]): Resolved {
  const values: Record<string, unknown> = {};
  const origins: Origin[] = [];
  const warnings = layers.flatMap(unknownKeys);
  for (const key of Object.keys(SETTINGS) as (keyof Settings)[]) {
    const found = resolveOne(key, SETTINGS[key], layers);
    values[key] = found.value;
    origins.push({ key, value: found.value, from: found.from });
    warnings.push(...found.warnings);
  }
  return { settings: values as unknown as Settings, origins, warnings };
}

function resolveOne(key: keyof Settings, setting: Setting<unknown>, layers: readonly Layer[]) {
  let value = setting.fallback;
  let from = "default";
  const warnings: string[] = [];
  for (const layer of layers) {
    const wish = readValue(key, setting, layer);
    if (wish === undefined || (layer.kind === "project" && setting.isByItem === true)) continue;
    if (layer.kind !== "project") {
      value = setting.combine?.(value, wish) ?? wish;
      from = placeOf(layer, key);
      continue;
    }
    const tightened = setting.tighten?.(value, wish);
    if (tightened === undefined) warnings.push(refusal(key, setting, layer));
    else [value, from] = [tightened, placeOf(layer, key)];
  }
  return { value, from, warnings };
}

function readValue(key: keyof Settings, setting: Setting<unknown>, layer: Layer): unknown {
  const name = layer.nameOf(key);
  if (name === undefined || !Object.hasOwn(layer.values, name)) return undefined;
  const written = layer.values[name];
  if (written === undefined) return undefined;
  const isText = layer.cwd !== undefined && typeof written === "string";
  const value = setting.read(isText ? (setting.fromText?.(written, layer.cwd) ?? written) : written);
  if (value !== undefined) return value;
  const where = layer.cwd === undefined ? `${layer.from}: ${key}` : placeOf(layer, key);
  throw new ToolError(
    "INVALID_INPUT",
    `${where} is ${JSON.stringify(written)}, expected ${setting.expected}`,
  );
}

function placeOf({ kind, from, nameOf }: Layer, key: keyof Settings): string {
  return kind === "flag" || kind === "environment" ? `${from}${nameOf(key)}` : from;
}

function refusal(key: string, setting: Setting<unknown>, { from }: Layer): string {
  const why = setting.tighten === undefined ? "a project may not set it" : "a project may only tighten it";
  return `${from}: ${key} is ignored, ${why}`;
}

/** Keys that mean nothing are told, as they were probably meant to. */
function unknownKeys({ kind, from, values }: Layer): readonly string[] {
  if (kind === "flag" || kind === "environment") return [];
  const known = [...Object.keys(SETTINGS), ...(kind === "user" ? ["profile", "profiles"] : [])];
  const unknown = Object.keys(values).filter((key) => !known.includes(key) && key !== "$schema");
  const hint = (key: string): string => nearHint(key, known, `settings: ${known.join(", ")}`);
  return unknown.map((key) => `${from}: ${JSON.stringify(key)} is not a setting; ${hint(key)}`);
}
