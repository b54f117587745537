import { defined } from "../../../util/json/defined.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { isObject, type Json } from "../../../core/json.ts";
import type { SourceProblem, ToolSource } from "../../../core/source.ts";
import { hashOf } from "../../../util/json/call-hash.ts";
import { createConfigMasker } from "../../config/config-masker.ts";
import type { Sample, McpSource } from "../../../sources/mcp/types/source-types.ts";
import { readServer, type ConfiguredServer } from "../../../sources/mcp/config/config.ts";
import { readEnvFile, trustedContent, type EnvFile } from "../../../sources/mcp/config/env-file.ts";
import { OWN_KEYS, type ConfigProblem } from "../../../sources/mcp/config/written-server.ts";
import type { StoredLogin } from "../../../sources/mcp/types/login-types.ts";
import { storedLogin } from "../../../sources/mcp/auth/stored-login.ts";
import { createMcpServers } from "../../../sources/mcp/registry.ts";
import { mcpResourceTools } from "../../../sources/mcp/resource-tools.ts";
import type { HttpServer } from "../../../sources/mcp/transport/server.ts";
import { createPins, type Pins } from "../../../sources/mcp/tools/pins.ts";
import { createMcpSource } from "../../../sources/mcp/source.ts";
import { childEnvironment } from "../../../system/process/environment.ts";
import { createRoster, type Roster } from "../../../system/process/roster.ts";
import type { ConfigGroups } from "../../config/groups.ts";
import { TRUST_NOTHING, type IsTrusted } from "../../config/files/trust.ts";

export interface McpSourcesOptions {
  readonly isTrusted: IsTrusted;
  /** Where pins and logins are stored; default: pins in memory. */
  readonly collections?: Collections | undefined;
  /** Where running servers are recorded; default: nowhere. */
  readonly stateFolder?: string | undefined;
  /** Takes tools that the user has seen before from the store, and starts a server when one of its tools is called. */
  readonly startsLate?: boolean;
  /** Called with each secret of a login before it is used. */
  readonly onSecret?: (secret: string) => void;
  /** Asks the configured model on behalf of a server; default: sampling is declined. */
  readonly sample?: Sample | undefined;
}

/** One entry of the config, parsed. */
export interface McpEntry {
  readonly name: string;
  readonly file: string;
  readonly isProject: boolean;
  readonly isTrusted: boolean;
  readonly configured: ConfiguredServer | ConfigProblem;
  /** Keys of a project's entry that count only in the user's own config. */
  readonly ignored: readonly string[];
}

/** The collection of the tools that the user has seen of servers. */
export const PINS = "mcp-pins";
/** The collection of logins at servers. */
export const LOGINS = "mcp-logins";

const IS_TAKEN: ConfigProblem = { problem: "your own config has a server of that name" };

/** Set for every server that is started: one may be Toolwright itself, with the same servers in its config. */
const WITHIN = "TOOLWRIGHT_WITHIN";
const IS_WITHIN: ConfigProblem = {
  problem:
    "this Toolwright is itself an MCP server of Toolwright and starts no servers, to avoid an endless loop",
  hint: "remove Toolwright from mcpServers",
};

/**
 * Creates one source for each MCP server of the user's config and of the project, starts none of them, and returns them with the tools over
 * all servers and the values to mask.
 */
export function mcpSources(
  config: ConfigGroups<"mcp" | "paths" | "environment">,
  options: McpSourcesOptions,
) {
  const entries = mcpEntries(config, options.isTrusted);
  const roster = createRoster(options.stateFolder);
  const opened = entries.flatMap((entry) => openEntry(entry, config, { ...options, roster }));
  const servers = createMcpServers(opened.filter((source) => "server" in source));
  return {
    sources: opened,
    tools: [...mcpResourceTools(servers)],
    servers,
    warnings: entries.flatMap(warningOf),
    secrets: entries.flatMap(({ configured }) => ("secrets" in configured ? configured.secrets : [])),
  };
}

/** Returns the line about a server that would be used, and is written wrongly; its other problems are reported by its source. */
function warningOf({ name, file, isTrusted, configured }: McpEntry): readonly string[] {
  if (!isTrusted || !("problem" in configured) || configured === IS_WITHIN || configured === IS_TAKEN)
    return [];
  return [`${file}: the MCP server "${name}" is ignored: ${configured.problem}; see toolwright mcp list`];
}

/** Returns all entries, the user's first: a project's server never replaces one of the user's. */
export function mcpEntries(
  config: ConfigGroups<"mcp" | "paths" | "environment">,
  isTrusted: IsTrusted = TRUST_NOTHING,
): readonly McpEntry[] {
  const {
    mcp: { servers: mcpServers, projectServers: projectMcpServers, startup },
    paths: { files, workspace, userHome },
    environment: { variables },
  } = config;
  const [root] = workspace;
  const environment = { ...childEnvironment(variables, config.environment.names), [WITHIN]: "mcp" };
  const isSet = (name: string): boolean => variables[name] !== undefined;
  const allowed = { ...environment, workspaceFolder: root, userHome };
  const context = { variables: { allowed, isSet }, environment, root, workspace, startup };
  const inherited = (names: readonly string[]) => childEnvironment(variables, names);
  const read = (name: string, written: Json, more: object): McpEntry["configured"] =>
    isSet(WITHIN) ? IS_WITHIN : readServer(name, written, { ...context, ...more });
  const envFileOf = (
    written: Json,
    { isProject }: { readonly isProject: boolean },
  ): { readonly envFile: EnvFile | undefined } => ({
    envFile: readEnvFile(written, { root, userHome, isProject }),
  });
  const own = Object.entries(mcpServers).map(([name, written]) => ({
    name,
    file: files.user,
    isProject: false,
    isTrusted: true,
    configured: read(name, written, { inherited, ...envFileOf(written, { isProject: false }) }),
    ignored: [],
  }));
  const theirs = projectMcpServers.map(({ name, written, file }) => {
    // Read once: what is trusted is what the server gets.
    const { envFile } = envFileOf(written, { isProject: true });
    return {
      name,
      file,
      isProject: true,
      isTrusted: isTrusted("mcp_server", name, hashOf(trustedContent(written, envFile))),
      configured: Object.hasOwn(mcpServers, name) ? IS_TAKEN : read(name, written, { envFile }),
      ignored: OWN_KEYS.filter((key) => isObject(written) && Object.hasOwn(written, key)),
    };
  });
  return [...own, ...theirs];
}

/** Returns the stored login at a server of the config. */
export function loginAt(
  { url }: HttpServer,
  { name, isProject }: Pick<McpEntry, "name" | "isProject">,
  { config, collections }: { readonly config: ConfigGroups<"paths">; readonly collections: Collections },
): StoredLogin {
  const [folder] = config.paths.workspace;
  return storedLogin({ collection: collections.open(LOGINS), name, url, ...(isProject && { folder }) });
}

/** Returns the pins of a server of the config. */
export function pinsOf(
  { name, isProject, configured: { server } }: McpEntry & { readonly configured: ConfiguredServer },
  { config, collections }: { readonly config: ConfigGroups<"paths">; readonly collections: Collections },
): Pins {
  const [folder] = config.paths.workspace;
  return createPins({ collection: collections.open(PINS), name, server, ...(isProject && { folder }) });
}

interface OpenServerOptions extends Pick<
  McpSourcesOptions,
  "collections" | "startsLate" | "onSecret" | "sample"
> {
  readonly roster?: Roster;
}

/** Creates the source of one server. Does not start it. */
export function openServer(
  entry: McpEntry & { readonly configured: ConfiguredServer },
  config: ConfigGroups<"paths" | "environment">,
  { collections, roster, startsLate = false, onSecret, sample }: OpenServerOptions,
): McpSource {
  const { name, isProject, isTrusted, configured } = entry;
  const { server, timeoutMs, connectTimeoutMs, maxResultBytes, startup, trustsAnnotations, acceptsChanges } =
    configured;
  const [folder] = config.paths.workspace;
  const { text: mask, learn } = createConfigMasker(config.environment, configured.secrets);
  return createMcpSource({
    name,
    server,
    roots: config.paths.workspace,
    startup: startsLate ? "lazy" : startup,
    // A project's file decides neither whose annotations the user trusts, nor whose changes.
    trustsAnnotations: trustsAnnotations && !isProject,
    acceptsChanges: acceptsChanges === true && !isProject,
    ...(isProject && { project: { folder, isTrusted: () => isTrusted } }),
    ...defined({ timeoutMs, connectTimeoutMs, maxResultBytes, sample, roster }),
    ...defined({ pins: collections?.open(PINS), logins: collections?.open(LOGINS) }),
    mask,
    onSecret(secret) {
      learn(secret);
      onSecret?.(secret);
    },
  });
}

function openEntry(
  entry: McpEntry,
  config: ConfigGroups<"paths" | "environment">,
  options: OpenServerOptions,
): readonly (ToolSource | McpSource)[] {
  const { configured, ignored } = entry;
  if ("problem" in configured) {
    const isOnly = entry.isTrusted && configured !== IS_TAKEN;
    return [unusable(isOnly ? `mcp:${entry.name}` : besides(entry), entry, configured)];
  }
  if (configured.isDisabled) return [];
  const source = openServer({ ...entry, configured }, config, options);
  if (ignored.length === 0) return [source];
  const problem = `${ignored.join(", ")} of "${entry.name}" is ignored: it counts only in your own config`;
  return [source, unusable(besides(entry), entry, { problem })];
}

/** Returns the name of a source for an entry of a project, beside one that is called as its server. */
function besides({ name, file }: McpEntry): string {
  return `mcp:${name} of ${file}`;
}

/** Returns a source that has only a problem. */
function unusable(source: string, { name, file }: McpEntry, configured: ConfigProblem): ToolSource {
  const message = `${file}: ${configured.problem}`;
  const { hint } = configured;
  const problem: SourceProblem = { source, subject: name, reason: "failed", message, ...defined({ hint }) };
  return { name: source, load: async () => ({ tools: [], problems: [problem] }) };
}
