import { readFileSync } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import { parseDocument } from "../../schema/parse-document.ts";
import { defined } from "../../util/json/defined.ts";
import { withPlace } from "./files/jsonc.ts";
import type { Setting } from "./settings/setting.ts";
import type { LooserSetting, Origin } from "./groups.ts";
import { SETTINGS, type Settings } from "./settings/settings.ts";

/** One place in which settings are written. */
export interface Layer {
  readonly kind: "user" | "profile" | "project" | "environment" | "flag";
  /** Names the place in messages. */
  readonly from: string;
  /** The file, and the keys above its settings there; default: `from`, without keys. */
  readonly within?: { readonly file: string; readonly keys: readonly string[] };
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns how this place names a setting: a flag, a variable, or the setting's own key. */
  readonly nameOf: (key: keyof Settings) => string | undefined;
  /** The base of relative paths; undefined if they are not allowed. */
  readonly cwd?: string;
}

/** Returns true if the user trusts the project's value of a setting. */
type TrustsSetting = (setting: LooserSetting) => boolean;

/**
 * Combines the layers, the last one on top. Unless it is trusted, a project's file can only tighten the layers below it. `looser` has
 * also what is trusted.
 */
export function resolveLayers(layers: readonly Layer[], isTrusted: TrustsSetting = () => false) {
  const values: Record<string, unknown> = {};
  const looser: LooserSetting[] = [];
  const origins: Origin[] = [];
  const warnings = layers.flatMap(unknownKeys);
  for (const key of Object.keys(SETTINGS) as (keyof Settings)[]) {
    const resolved = resolveOne(key, SETTINGS[key], layers, isTrusted);
    values[key] = resolved.value;
    origins.push({ key, value: resolved.value, from: resolved.from });
    warnings.push(...resolved.warnings);
    looser.push(...resolved.looser);
  }
  return { settings: values as unknown as Settings, looser, origins, warnings };
}

function resolveOne(
  key: keyof Settings,
  setting: Setting<unknown>,
  layers: readonly Layer[],
  isTrusted: TrustsSetting,
) {
  let value = setting.fallback;
  let from = "default";
  const warnings: string[] = [];
  const looser: LooserSetting[] = [];
  for (const layer of layers) {
    const wish: unknown = readSetting(layer, key);
    const isProject = layer.kind === "project";
    if (wish === undefined || (isProject && setting.isByItem === true)) continue;
    const tightened = isProject ? setting.tighten?.(value, wish) : undefined;
    if (isProject && tightened === undefined) {
      const wanted: LooserSetting = { key, value: (layer.values[key] ?? null) as Json };
      if (setting.isTrustable === true) looser.push(wanted);
      if (setting.isTrustable !== true || !isTrusted(wanted)) {
        warnings.push(refusal(key, setting, layer));
        continue;
      }
    }
    value = tightened ?? (setting.combine === undefined ? wish : setting.combine(value, wish));
    from = placeOf(layer, key);
  }
  return { value, from, warnings, looser };
}

/** Returns the value of a setting in one layer, or undefined if it is not set there. Throws on an invalid value. */
export function readSetting<K extends keyof Settings>(layer: Layer, key: K): Settings[K] | undefined {
  const name = layer.nameOf(key);
  if (name === undefined || !Object.hasOwn(layer.values, name)) return undefined;
  const setting = layer.values[name];
  if (setting === undefined) return undefined;
  const { from, cwd } = layer;
  if (cwd === undefined) {
    const parse = (): Settings[K] => parseSetting(key, setting, { name: from, place: key });
    const { file, keys } = layer.within ?? { file: from, keys: [] };
    return withPlace(file, () => readFileSync(file, "utf8"), [...keys, key], parse);
  }
  const value = typeof setting === "string" ? SETTINGS[key].fromText?.(setting, cwd) : undefined;
  return parseSetting(key, value ?? setting, { place: placeOf(layer, key) });
}

/** Returns the value of a setting as it is written in a file. Throws, naming the place and what is expected, on an invalid value. */
export function parseSetting<K extends keyof Settings>(
  key: K,
  written: unknown,
  { name, place }: { readonly name?: string; readonly place: string } = { place: key },
): Settings[K] {
  const setting: Setting<unknown> = SETTINGS[key];
  const document = withoutDetails(written, setting, () =>
    parseDocument(setting.schema, written, {
      place,
      defaults: false,
      hideValues: setting.hidesValues === true,
      ...defined({ name }),
    }),
  );
  const start = name === undefined ? place : `${name}: ${place}`;
  return (setting.parse === undefined ? document : setting.parse(document as never, start)) as Settings[K];
}

/** The problems of a setting are not problems of the input of a call, which is how a printed result would show them. */
function withoutDetails<T>(written: unknown, setting: Setting<unknown>, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, hint } = error;
    throw new ToolError(code, message, { cause: error, hint: setting.hintOf?.(written) ?? hint });
  }
}

function placeOf({ kind, from, nameOf }: Layer, key: keyof Settings): string {
  return kind === "flag" || kind === "environment" ? `${from}${nameOf(key)}` : from;
}

function refusal(key: string, setting: Setting<unknown>, { from }: Layer): string {
  const until = setting.isTrustable === true ? " until it is trusted" : "";
  const may = setting.tighten === undefined ? "may not set it" : "may only tighten it";
  return `${from}: ${key} is ignored, a project ${may}${until}`;
}

/** Returns a warning for each unknown key, with the names that were probably meant. */
function unknownKeys({ kind, from, values }: Layer): readonly string[] {
  if (kind === "flag" || kind === "environment") return [];
  const known = [...Object.keys(SETTINGS), ...(kind === "user" ? ["profile", "profiles"] : [])];
  const unknown = Object.keys(values).filter((key) => !known.includes(key) && key !== "$schema");
  const hint = (key: string): string => nearHint(key, known, `settings: ${known.join(", ")}`);
  return unknown.map((key) => `${from}: ${JSON.stringify(key)} is not a setting; ${hint(key)}`);
}
