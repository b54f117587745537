import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { unknownName } from "../../../util/text/near-hint.ts";
import { loadConfig } from "../../config/config.ts";
import type { ConfigGroups, PathSettings } from "../../config/groups.ts";
import { editUserConfig } from "../../config/folders.ts";
import { mcpEntries } from "../../host/sources/mcp-sources.ts";
import type { ConfigProblem } from "../../../sources/mcp/config/written-server.ts";
import { loadTrustedConfig } from "../../host/store/apply-trust.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";

/** The settings whose entries commands add and remove: what one is called, and the command. */
const KINDS = {
  mcpServers: { one: "a server", what: "server", command: "toolwright mcp" },
  apis: { one: "an api", what: "api", command: "toolwright api" },
} as const;

type Kind = keyof typeof KINDS;

/** Adds an entry to a setting in the user config. Throws if there is one of that name. */
export async function addEntry(
  config: ConfigGroups<"paths" | "apis" | "mcp">,
  kind: Kind,
  name: string,
  value: JsonObject,
): Promise<void> {
  const { one, command } = KINDS[kind];
  await editUserConfig(config.paths, (written) => {
    if (
      Object.hasOwn(
        { ...(kind === "apis" ? config.apis : config.mcp.servers), ...entriesIn(written, kind) },
        name,
      )
    )
      throw new ToolError("INVALID_INPUT", `${config.paths.files.user} already has ${one} "${name}"`, {
        hint: `to replace it, run ${command} remove ${name} first`,
      });
    return { path: [kind, name], value };
  });
}

/** Removes an entry from a setting in the user config. Throws, with near names, if there is none of that name. */
export async function removeEntry(paths: PathSettings, kind: Kind, name: string): Promise<void> {
  const { what, command } = KINDS[kind];
  await editUserConfig(paths, (written) => {
    const names = Object.keys(entriesIn(written, kind));
    const missing = `${paths.files.user} has no ${what} "${name}"`;
    if (!names.includes(name)) throw unknownName(missing, name, names, `${command} list lists them`);
    return { path: [kind, name], value: undefined };
  });
}

/** Returns what is wrong with a server that is written like this; undefined if it can be used. */
export function problemOf(
  config: ConfigGroups<"mcp" | "paths" | "environment">,
  name: string,
  written: JsonObject,
): ConfigProblem | undefined {
  const [entry] = mcpEntries({
    ...config,
    mcp: { ...config.mcp, servers: { [name]: written }, projectServers: [] },
  });
  return entry !== undefined && "problem" in entry.configured ? entry.configured : undefined;
}

/** Returns the entries that a config file has. */
export function entriesIn(config: JsonObject, kind: Kind): JsonObject {
  const entries = config[kind];
  return isObject(entries) ? entries : {};
}

/** Returns the server of the config with this name. Throws if there is none, it is unusable, or it is not trusted. */
export async function namedServer(name: string, { flags }: Arguments, world: World) {
  const { config, isTrusted } = await loadTrustedConfig({
    flags,
    config: loadConfig(flags, world.environment()),
  });
  const entries = mcpEntries(config, isTrusted);
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) {
    const names = entries.map((one) => one.name);
    throw unknownName(`unknown MCP server "${name}"`, name, names, "toolwright mcp list lists them");
  }
  const { configured, file } = entry;
  if ("problem" in configured) {
    const { problem, hint } = configured;
    throw new ToolError("INVALID_INPUT", `${file}: "${name}" cannot be used: ${problem}`, { hint });
  }
  if (!entry.isTrusted)
    throw new ToolError("DENIED", `${file}: "${name}" is not trusted`, { hint: "run toolwright trust" });
  return { config, entry: { ...entry, configured } };
}
