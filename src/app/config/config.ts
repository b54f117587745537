import { attempt } from "../../util/async/attempt.ts";
import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { Environment, Variables } from "./environment.ts";
import { readConfigFile } from "./files/config-file.ts";
import type { HookDefinition } from "./hooks/hook-definition.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import { readSetting, resolveLayers, type Layer } from "./layers.ts";
import { atHome } from "../../system/paths/at-home.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { readProjectServers } from "./project-mcp-servers.ts";
import { keysInFile } from "./stored-keys.ts";
import type { LogSetting } from "./settings/log-setting.ts";
import {
  type LooserSetting,
  type Origin,
  hookSettings,
  mcpSettings,
  ownGroups,
  toolSettings,
  type CallSettings,
  type Config,
  type McpSettings,
} from "./groups.ts";
import { SETTINGS, type Settings } from "./settings/settings.ts";
import { TRUST_NOTHING, type IsTrusted } from "./files/trust.ts";
import { environmentLayer, misspeltVariables, environmentSettings } from "./environment-layer.ts";

/** The values of flags, by name. */
export type ConfigFlags = Readonly<Record<string, string | boolean | undefined>>;

/** The profile in which the package's own programs are tools instead of the built-in ones. */
export const EXTERNAL_PROFILE = "external";

/** Returns true if the user or the project has any MCP server. */
export function hasMcpServers({ servers, projectServers }: McpSettings): boolean {
  return Object.keys(servers).length + projectServers.length > 0;
}

/** Reads flags over environment over the project's file over the user's. Throws, naming the place, on an invalid value. */
export function loadConfig(
  flags: ConfigFlags,
  { cwd, roots: further = [], variables, userHome: namedHome }: Environment,
  isTrusted: IsTrusted = TRUST_NOTHING,
  readFile: typeof readConfigFile = readConfigFile,
): Config {
  const folder = canonical(cwd);
  if (folder === undefined) throw new ToolError("UNAVAILABLE", `the folder ${cwd} does not exist`);
  // Rules and protection compare canonical paths; a home folder may be a link.
  const userHome = canonical(namedHome) ?? namedHome;
  const moved = variables["TOOLWRIGHT_HOME"];
  const home = moved ? resolve(folder, moved) : join(userHome, ".toolwright");
  const files = { user: join(home, "config.json"), project: join(folder, ".toolwright", "config.json") };
  const user = readFile(files.user) ?? {};
  const project = canonical(files.project) === canonical(files.user) ? {} : readFile(files.project, folder);
  const profile = chooseProfile(user, flags, variables, files.user);
  const projectLayer = fileLayer("project", files.project, project ?? {});
  const layers: readonly Layer[] = [
    fileLayer("user", files.user, user),
    {
      ...fileLayer("profile", `${files.user}: profile ${profile.name}`, profile.values),
      within: { file: files.user, keys: ["profiles", profile.name] },
    },
    projectLayer,
    environmentLayer(variables, cwd),
    { kind: "flag", from: "flag --", values: flags, nameOf: (key) => SETTINGS[key].flag, cwd },
  ];
  const trusts = ({ key, value }: LooserSetting): boolean => isTrusted("setting", key, hashOf(value));
  const { settings, looser, origins, warnings } = resolveLayers(layers, trusts);
  refuseRelativePrograms(settings.hooks, files.user);
  const isShared = settings.store === "nats";
  const store = isShared || settings.store === "" ? join(home, "state") : atHome(settings.store, userHome);
  const roots = settings.roots.map((root) => ({ root, path: canonical(atHome(root, userHome)) }));
  const toolDirectories = settings.toolDirectories.map((folder) => atHome(folder, userHome));
  const report = {
    origins: [
      { key: "home", value: home, from: moved ? "environment TOOLWRIGHT_HOME" : "default" },
      { key: "profile", value: profile.name, from: profile.from },
      ...origins.map(shownBy(isShared ? "nats" : store)),
    ],
    warnings: [...warnings, ...missingFolders(roots, toolDirectories), ...misspeltVariables(variables)],
    looser,
  };
  const workspace = withoutRepeats(folder, [...further, ...roots.flatMap(({ path }) => path ?? [])]);
  const { keepDays, keepMegabytes, lostStore: ifLost, broadWorkspace } = settings;
  return {
    ...ownGroups(settings),
    profile: profile.name,
    paths: { home, userHome, workspace, broadWorkspace, store, files },
    storage: { isShared, keepDays, keepMegabytes, ifLost },
    calls: callSettings(settings, layers),
    environment: environmentSettings(settings, variables, keysInFile({ home })),
    tools: toolSettings(settings, toolDirectories),
    mcp: mcpSettings(settings, readProjectServers(folder, project ?? {}, files.project)),
    hooks: hookSettings(settings, readSetting(projectLayer, "hooks") ?? []),
    log: logIn(folder, settings.log),
    report,
  };
}

/** Only a flag or a variable, which is about this start, limits tools that have a limit of their own. */
function callSettings(settings: Settings, layers: readonly Layer[]): CallSettings {
  const { timeoutSeconds, approvalTimeoutSeconds, concurrency } = settings;
  const isForCalls = layers
    .filter(({ kind }) => kind === "environment" || kind === "flag")
    .some((layer) => readSetting(layer, "timeoutSeconds") !== undefined);
  const callTimeoutMs = isForCalls ? timeoutSeconds * 1000 : undefined;
  return { timeoutSeconds, approvalTimeoutSeconds, concurrency, callTimeoutMs };
}

function withoutRepeats(first: string, others: readonly string[]): readonly [string, ...string[]] {
  return [first, ...new Set(others.filter((one) => one !== first))];
}

/** Profiles that exist without a file; the user's file may add settings to them. */
const OWN_PROFILES: Readonly<Record<string, JsonObject>> = { [EXTERNAL_PROFILE]: {} };

/** Returns the chosen profile: a named set of settings in the user's file, which go over the file's own. */
function chooseProfile(user: JsonObject, flags: ConfigFlags, variables: Variables, file: string) {
  const profiles = user["profiles"] ?? {};
  if (!isObject(profiles)) throw new ToolError("INVALID_INPUT", `${file}: profiles must be an object`);
  const [name, from] = profileName(user, flags, variables, file);
  if (name === "default") return { name, from, values: {} };
  const values = Object.hasOwn(profiles, name) ? profiles[name] : OWN_PROFILES[name];
  if (isObject(values)) return { name, from, values };
  if (values !== undefined)
    throw new ToolError("INVALID_INPUT", `${file}: profile ${name} must be an object`);
  const known = [...new Set(["default", ...Object.keys(OWN_PROFILES), ...Object.keys(profiles)])];
  const expected = `expected ${known.join(", ")}; add others to ${file}`;
  throw unknownName(`${from}: unknown profile ${JSON.stringify(name)}`, name, known, expected);
}

function profileName(
  user: JsonObject,
  flags: ConfigFlags,
  variables: Variables,
  file: string,
): readonly [string, string] {
  if (flags["profile"] !== undefined) return [String(flags["profile"]), "flag --profile"];
  const variable = variables["TOOLWRIGHT_PROFILE"];
  if (variable) return [variable, "environment TOOLWRIGHT_PROFILE"];
  const profile = user["profile"];
  if (profile === undefined) return ["default", "default"];
  if (typeof profile === "string") return [profile, file];
  throw new ToolError("INVALID_INPUT", `${file}: profile must be the name of a profile`);
}

function fileLayer(kind: "user" | "profile" | "project", from: string, values: JsonObject): Layer {
  return { kind, from, values, nameOf: (key) => key };
}

/** Shows the folder of the store as it is resolved, and only the names of what may hold secrets. */
function shownBy(store: string): (origin: Origin) => Origin {
  return (origin) => {
    if (origin.key === "store") return { ...origin, value: store };
    if (origin.key === "mcpServers") return { ...origin, value: Object.keys(origin.value ?? {}) };
    if (origin.key !== "presets" || !isObject(origin.value)) return origin;
    const names = Object.entries(origin.value).map(([tool, values]) => [tool, Object.keys(values ?? {})]);
    return { ...origin, value: Object.fromEntries(names) as unknown };
  };
}

function logIn(folder: string, log: LogSetting | undefined): LogSetting | undefined {
  return log?.file === undefined ? log : { ...log, file: resolve(folder, log.file) };
}

function canonical(path: string): string | undefined {
  return attempt(() => realpathSync(path));
}

function missingFolders(
  roots: readonly { readonly root: string; readonly path: string | undefined }[],
  toolDirectories: readonly string[],
): readonly string[] {
  const missing = roots.filter(({ path }) => path === undefined);
  return [
    ...missing.map(
      ({ root }) =>
        `the root ${root} is ignored: no such folder; create it, or correct "roots": toolwright config get roots`,
    ),
    ...toolDirectories
      .filter((folder) => canonical(folder) === undefined)
      .map((folder) => `the tool directory ${folder} does not exist`),
  ];
}

/** Throws on a relative program: the user's hooks run in every folder, so that it could be an untrusted program. */
function refuseRelativePrograms(hooks: readonly HookDefinition[], file: string): void {
  for (const { name, action } of hooks) {
    if (action.type !== "command") continue;
    const [program] = action.program;
    if (!program.includes("/") || isAbsolute(program) || program.startsWith("~/")) continue;
    const what = `${file}: hook "${name}": ${program} is a different program in each folder`;
    const hint = "use an absolute path, one that begins with ~/, or a name on PATH";
    throw new ToolError("INVALID_INPUT", what, { hint });
  }
}
