import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import { visible } from "../../../util/text/visible.ts";
import { loadConfig } from "../../config/config.ts";
import { editConfigFile } from "../../config/files/config-file.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { parseSetting } from "../../config/layers.ts";
import { SETTINGS, type Settings } from "../../config/settings/settings.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import { CONFIG_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { onlyArgument, refuseArguments, takeAction } from "../../terminal/input/check-arguments.ts";
import { loadSettings } from "../../terminal/input/load-settings.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";

const ACTIONS = ["list", "get", "set", "unset"] as const;

export const config: Command = {
  name: "config",
  summary: "show settings and where they come from, or set one in a config file",
  usage: "[list] [--json]\nget KEY [--json]\nset KEY VALUE [--project]\nunset KEY [--project]",
  positionals: ["action", "setting"],
  actions: ACTIONS,
  flags: {
    project: { summary: "set, unset: in the project's config.json instead of yours", for: ["set", "unset"] },
    json: { summary: "list, get: print as JSON", for: ["list", "get"] },
    profile: CONFIG_FLAGS.profile,
  },
  examples: {
    config: "every setting, its value and its origin",
    "config get mode": "print one value",
    "config set mode edits": "let agents change files in the workspace without approval",
    "config set budget.turns 50": "set one part of a setting",
  },
  async run(given, world) {
    const { action, rest } = takeAction(config, given, ACTIONS, "list");
    if (action === "set" || action === "unset") return write(action, rest, given, world);
    if (action === "get") return show(onlyArgument(rest, "setting: toolwright config get KEY"), given, world);
    refuseArguments(rest);
    return show(undefined, given, world);
  },
};

/** Prints one setting, or all. */
async function show(path: string | undefined, { flags }: Arguments, world: World): Promise<void> {
  const { origins } = loadSettings(flags, world).report;
  if (path === undefined) {
    // The value last: it may be long, and a terminal cuts the line.
    const rows = origins.map(({ key, value, from }) => [key, from, JSON.stringify(value) ?? "-"]);
    return world.output.print(
      flags["json"] === true ? `${JSON.stringify(origins)}\n` : visible(alignRows(rows, world.columns)),
    );
  }
  const [key, ...parts] = partsOf(path);
  const origin = origins.find((one) => one.key === key);
  if (origin === undefined)
    throw unknownSetting(
      key ?? "",
      origins.map((one) => one.key),
    );
  const value = partOf(origin.value, parts);
  const isText = typeof value === "string" && flags["json"] !== true;
  return world.output.print(`${isText ? visible(value) : (JSON.stringify(value) ?? "null")}\n`);
}

/** Sets or removes a setting, or one part of it, in a config file; comments stay. Throws on a value that would be refused. */
async function write(
  action: "set" | "unset",
  [path, ...values]: readonly string[],
  { flags }: Arguments,
  world: World,
): Promise<void> {
  const usage = action === "set" ? "set KEY VALUE" : "unset KEY";
  const [text, ...more] = values;
  if (path === undefined || (action === "set" && text === undefined))
    throw new ToolError(
      "INVALID_INPUT",
      `missing ${path === undefined ? "setting" : "value"}: toolwright config ${usage}`,
    );
  refuseArguments(action === "set" ? more : values, "quote a value that has spaces");
  const [name = "", ...parts] = partsOf(path);
  const key = keyOf(name);
  const current = loadConfig({}, world.environment());
  const isProject = flags["project"] === true;
  const file = isProject ? current.paths.files.project : current.paths.files.user;
  const folder = isProject ? current.paths.workspace[0] : undefined;
  const value = text === undefined ? undefined : toValue(key, parts, text);
  await editConfigFile(file, { changesFolder: stateFoldersOf(current.paths).changes, folder }, (written) => {
    const whole = withPart(written[key], parts, value);
    // The whole setting, as it will be read: a part may be valid only with the others.
    if (whole !== undefined) parseSetting(key, whole, { name: file, place: key });
    return { path: [key, ...parts], value };
  });
  await world.output.print(
    `${visible(file)}: ${visible(path)} ${value === undefined ? "removed" : `= ${visible(JSON.stringify(value))}`}\n`,
  );
  const warning =
    value === undefined ? undefined : await overrideOf({ key, parts, value, file, isProject }, flags, world);
  if (warning !== undefined) world.output.warn(warning);
}

interface Written {
  readonly key: keyof Settings;
  readonly parts: readonly string[];
  readonly value: Json;
  readonly file: string;
  readonly isProject: boolean;
}

/** Returns what keeps a setting that was just written from having effect in this folder; undefined if nothing does. */
async function overrideOf(
  { key, parts, value, file, isProject }: Written,
  flags: Arguments["flags"],
  { environment }: World,
): Promise<string | undefined> {
  const untrusted = loadConfig(flags, environment());
  const { config: current } = await loadTrustedConfig({ flags, config: untrusted });
  const origin = current.report.origins.find((one) => one.key === key);
  if (origin === undefined || origin.from === file) return undefined;
  const effective = partOf(origin.value, parts);
  if (isDeepStrictEqual(effective, value)) return undefined;
  const sets = `${visible(origin.from)} sets ${visible(JSON.stringify(effective) ?? "nothing")}`;
  return isProject
    ? `has no effect here: ${sets}; until you trust this folder (toolwright trust), its settings can only tighten yours`
    : `has no effect here: ${sets}`;
}

/** Returns the parts of a path to a setting: the name of a model, a server and the like may have dots. */
function partsOf(path: string): readonly string[] {
  const [key = "", ...parts] = path.split(".");
  const schema = Object.hasOwn(SETTINGS, key) ? SETTINGS[key as keyof Settings].schema : {};
  const { additionalProperties: entry } = schema;
  if (parts.length < 2 || !isObject(entry)) return [key, ...parts];
  const fields = isObject(entry["properties"]) ? entry["properties"] : undefined;
  // The fields of other entries are not known.
  if (fields === undefined) return [key, ...parts];
  const at = parts.findIndex((part, index) => index > 0 && Object.hasOwn(fields, part));
  if (at < 0) refuseMisspelt(key, parts, Object.keys(fields));
  const end = at < 0 ? parts.length : at;
  return [key, parts.slice(0, end).join("."), ...parts.slice(end)];
}

/** Throws if the last part of the name of an entry is meant as one of its fields. */
function refuseMisspelt(key: string, parts: readonly string[], fields: readonly string[]): void {
  const [last = ""] = parts.slice(-1);
  if (nearNames(last, fields).length === 0) return;
  const entry = [key, ...parts.slice(0, -1)].join(".");
  throw unknownName(
    `unknown field ${JSON.stringify(last)} of ${entry}`,
    last,
    fields,
    `fields: ${fields.join(", ")}`,
  );
}

function partOf(value: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((whole, part) => (isObject(whole) ? whole[part] : undefined), value);
}

/** Settings of one model, which people write without its name. */
const OF_MODELS: ReadonlySet<string> = new Set([
  "baseUrl",
  "keyVariable",
  "window",
  "price",
  "dialect",
  "temperature",
  "maxOutputTokens",
]);

function keyOf(name: string): keyof Settings {
  if (Object.hasOwn(SETTINGS, name)) return name as keyof Settings;
  if (OF_MODELS.has(name))
    throw new ToolError("INVALID_INPUT", `unknown setting ${JSON.stringify(name)}`, {
      hint: `it belongs to a model or a provider: toolwright config set models.PROVIDER/NAME.${name} VALUE`,
    });
  throw unknownSetting(name, Object.keys(SETTINGS));
}

function unknownSetting(name: string, known: readonly string[]): ToolError {
  return unknownName(`unknown setting ${JSON.stringify(name)}`, name, known, `settings: ${known.join(", ")}`);
}

/** Returns the typed value as JSON if the setting takes it so, else as text. */
function toValue(key: keyof Settings, parts: readonly string[], text: string): Json {
  const parsed = parseJson(text);
  if (parsed === undefined) return text;
  if (parts.length > 0) return parsed;
  return SETTINGS[key].schema.type === "string" ? text : parsed;
}

/** Returns the setting with one part replaced, or removed if the value is undefined. */
function withPart(
  whole: Json | undefined,
  parts: readonly string[],
  value: Json | undefined,
): Json | undefined {
  const [first, ...rest] = parts;
  if (first === undefined) return value;
  const base: JsonObject = isObject(whole) ? whole : {};
  const { [first]: old, ...others } = base;
  const part = withPart(old, rest, value);
  return part === undefined ? others : { ...others, [first]: part };
}
