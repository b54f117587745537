import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { SECRET_NAME } from "../../system/process/environment.ts";
import { isObject } from "../../core/json.ts";
import type { JsonObject } from "../../core/json.ts";
import { readConfigFile } from "./files/config-file.ts";
import type { HookDefinition } from "./hooks/hook-definition.ts";
import { hashOf } from "../../util/json/call-hash.ts";
import type { Layer, LooserSetting, Origin } from "./layers.ts";
import { readSetting, resolveLayers } from "./layers.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import type { ProjectMcpServer } from "./project-mcp-servers.ts";
import { readProjectServers } from "./project-mcp-servers.ts";
import type { Settings } from "./settings.ts";
import { SETTINGS } from "./settings.ts";
import type { IsTrusted } from "./files/trust.ts";
import { TRUST_NOTHING } from "./files/trust.ts";
import { findUserHome } from "./files/user-home.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings that flags give, by the flag's name. */
export type ConfigFlags = Readonly<Record<string, string | boolean | undefined>>;

/** Where the program runs. */
export interface Surroundings {
  readonly cwd: string;
  readonly variables: Variables;
  readonly userHome: string;
}

/** Everything that was set, with what follows from it. */
export interface Config extends Settings {
  /** `~/.toolwright`, or where TOOLWRIGHT_HOME moved it. */
  readonly home: string;
  readonly userHome: string;
  /** Canonical folders that tools may touch; the first is the current one. */
  readonly workspace: readonly [string, ...string[]];
  readonly profile: string;
  readonly variables: Variables;
  /** Values to mask wherever they appear. */
  readonly secrets: readonly string[];
  /** Set where a flag or a variable gave the deadline: then it rules every call, whatever its tool's own. */
  readonly callTimeoutMs: number | undefined;
  /** The project's own hooks, trusted or not. */
  readonly projectHooks: readonly HookDefinition[];
  /** What the project would loosen, trusted or not. */
  readonly looser: readonly LooserSetting[];
  /** The project's own MCP servers, trusted or not. */
  readonly projectMcpServers: readonly ProjectMcpServer[];
  readonly files: { readonly user: string; readonly project: string };
  readonly origins: readonly Origin[];
  /** What was ignored, and why: one line each. */
  readonly warnings: readonly string[];
}

/** The profile in which the built-in tools are off and the package's own programs are tools instead. */
export const EXTERNAL_PROFILE = "external";

/** Reads flags over environment over the project's file over the user's. Throws, naming the place, on a value that cannot be. */
export function loadConfig(
  flags: ConfigFlags = {},
  { cwd, variables, userHome }: Surroundings = readSurroundings(),
  isTrusted: IsTrusted = TRUST_NOTHING,
): Config {
  const folder = canonical(cwd);
  if (folder === undefined) throw new ToolError("UNAVAILABLE", `the current folder ${cwd} is gone`);
  const home = homeOf({ cwd, variables, userHome });
  const files = configFiles({ cwd: folder, variables, userHome });
  const user = readConfigFile(files.user) ?? {};
  const project = canonical(files.project) === canonical(files.user) ? {} : readConfigFile(files.project);
  const profile = chooseProfile(user, flags, variables, files.user);
  const projectLayer = fileLayer("project", files.project, project ?? {});
  const layers = [
    fileLayer("user", files.user, user),
    fileLayer("profile", `${files.user}: profile ${profile.name}`, profile.values),
    projectLayer,
    environmentLayer(variables, cwd),
    flagLayer(flags, cwd),
  ];
  const { settings, looser, origins, warnings } = resolveLayers(layers, ({ key, value }) =>
    isTrusted("setting", key, hashOf(value)),
  );
  refuseRelativePrograms(settings.hooks, files.user);
  const store = settings.store === "" ? join(home, "state") : toPath(settings.store, userHome);
  const roots = settings.roots.map((root) => ({ root, path: canonical(toPath(root, userHome)) }));
  const toolDirectories = settings.toolDirectories.map((folder) => toPath(folder, userHome));
  const isForCalls = layers.slice(3).some((layer) => isSet(layer, "timeoutSeconds"));
  return {
    ...settings,
    store,
    toolDirectories,
    home,
    userHome,
    workspace: [folder, ...roots.flatMap(({ path }) => path ?? [])],
    profile: profile.name,
    variables,
    secrets: secretsOf(variables, settings),
    callTimeoutMs: isForCalls ? settings.timeoutSeconds * 1000 : undefined,
    projectHooks: readSetting(projectLayer, "hooks") ?? [],
    looser,
    projectMcpServers: readProjectServers(folder, project ?? {}, files.project),
    files,
    origins: [...ownOrigins(home, variables, profile), ...origins.map(shownBy(store))],
    warnings: [...warnings, ...roots.flatMap(missingRoot), ...toolDirectories.flatMap(missingTools)],
  };
}

/** The only place that reads the process's environment. */
export function readSurroundings(): Surroundings {
  const userHome = findUserHome();
  const { HOME: named } = process.env;
  // What runs for us takes for its home what we do.
  const variables = { ...process.env, ...(named !== undefined && { HOME: userHome }) };
  return { cwd: currentFolder(), variables, userHome };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new ToolError("UNAVAILABLE", "the current folder is gone", {
      hint: "cd to one that exists",
      cause: error,
    });
  }
}

/** Where the settings are written. */
export function configFiles(surroundings: Surroundings): { readonly user: string; readonly project: string } {
  const project = join(surroundings.cwd, ".toolwright", "config.json");
  return { user: join(homeOf(surroundings), "config.json"), project };
}

function homeOf({ cwd, variables, userHome }: Surroundings): string {
  const moved = variables["TOOLWRIGHT_HOME"];
  return moved ? resolve(cwd, moved) : join(userHome, ".toolwright");
}

interface Profile {
  readonly name: string;
  readonly from: string;
  readonly values: JsonObject;
}

/** Profiles that mean something by themselves; the user's file may add settings to them. */
const OWN_PROFILES: Readonly<Record<string, JsonObject>> = { [EXTERNAL_PROFILE]: {} };

/** A profile is a named set of settings in the user's file, laid over the file's own. */
function chooseProfile(user: JsonObject, flags: ConfigFlags, variables: Variables, file: string): Profile {
  const profiles = user["profiles"] ?? {};
  if (!isObject(profiles)) throw new ToolError("INVALID_INPUT", `${file}: profiles must be an object`);
  const [name, from] = profileName(user, flags, variables, file);
  if (name === "default") return { name, from, values: {} };
  const values = Object.hasOwn(profiles, name) ? profiles[name] : OWN_PROFILES[name];
  if (isObject(values)) return { name, from, values };
  const known = [...new Set(["default", ...Object.keys(OWN_PROFILES), ...Object.keys(profiles)])];
  throw new ToolError("INVALID_INPUT", `${from}: there is no profile ${JSON.stringify(name)}`, {
    hint: nearHint(name, known, `profiles: ${known.join(", ")}; more go into ${file}`),
  });
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
  const written = user["profile"];
  if (written === undefined) return ["default", "default"];
  if (typeof written === "string") return [written, file];
  throw new ToolError("INVALID_INPUT", `${file}: profile must be the name of a profile`);
}

function fileLayer(kind: "user" | "profile" | "project", from: string, values: JsonObject): Layer {
  return { kind, from, values, nameOf: (key) => key };
}

function environmentLayer(variables: Variables, cwd: string): Layer {
  // A variable that is set to nothing is how many shells say "not set".
  const values = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  return { kind: "environment", from: "environment ", values, nameOf: (key) => SETTINGS[key].variable, cwd };
}

function flagLayer(values: ConfigFlags, cwd: string): Layer {
  return { kind: "flag", from: "flag --", values, nameOf: (key) => SETTINGS[key].flag, cwd };
}

function isSet(layer: Layer, key: keyof Settings): boolean {
  const name = layer.nameOf(key);
  return name !== undefined && layer.values[name] !== undefined;
}

function ownOrigins(home: string, variables: Variables, profile: Profile): readonly Origin[] {
  return [
    {
      key: "home",
      value: home,
      from: variables["TOOLWRIGHT_HOME"] ? "environment TOOLWRIGHT_HOME" : "default",
    },
    { key: "profile", value: profile.name, from: profile.from },
  ];
}

/** The store is shown where it is, not as it was written; of what may hold secrets, only the names. */
function shownBy(store: string): (origin: Origin) => Origin {
  return (origin) => {
    if (origin.key === "store") return { ...origin, value: store };
    if (origin.key === "mcpServers") return { ...origin, value: Object.keys(origin.value ?? {}) };
    if (origin.key !== "presets" || !isObject(origin.value)) return origin;
    const names = Object.entries(origin.value).map(([tool, values]) => [tool, Object.keys(values ?? {})]);
    return { ...origin, value: Object.fromEntries(names) as unknown };
  };
}

function secretsOf(variables: Variables, { models }: Settings): readonly string[] {
  const keys = new Set(Object.values(models).map(({ keyVariable }) => keyVariable));
  return Object.entries(variables).flatMap(([name, value]) =>
    value !== undefined && (SECRET_NAME.test(name) || keys.has(name)) ? [value] : [],
  );
}

function toPath(path: string, userHome: string): string {
  return path === "~" || path.startsWith("~/") ? join(userHome, path.slice(1)) : path;
}

function canonical(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function missingRoot({
  root,
  path,
}: {
  readonly root: string;
  readonly path: string | undefined;
}): readonly string[] {
  return path === undefined ? [`the root ${root} is ignored: there is no such folder`] : [];
}

function missingTools(folder: string): readonly string[] {
  return canonical(folder) === undefined ? [`the tool directory ${folder} does not exist`] : [];
}

/** The user's hooks run in every folder: a program named by a path of the folder would be a stranger's. */
function refuseRelativePrograms(hooks: readonly HookDefinition[], file: string): void {
  for (const { name, action } of hooks) {
    if (action.type !== "command") continue;
    const [program] = action.program;
    if (!program.includes("/") || isAbsolute(program) || program.startsWith("~/")) continue;
    throw new ToolError(
      "INVALID_INPUT",
      `${file}: hook "${name}": ${program} is another program in each folder`,
      {
        hint: "name it absolutely, from ~/, or by a name that is found on PATH",
      },
    );
  }
}
