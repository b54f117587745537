import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Json } from "../../../core/json.ts";
import type { Box } from "../../../system/box/types.ts";
import { defined } from "../../../util/json/defined.ts";
import { secretsIn } from "../../../secrets/find/values.ts";
import { isServerName } from "../tools/names.ts";
import type { McpServer, OAuthSettings } from "../transport/server.ts";
import type { EnvFile } from "./env-file.ts";
import { checkWritten, type ConfigProblem, type WrittenOAuth, type WrittenServer } from "./written-server.ts";
import { type Variables, type Texts, ExpansionError, expand, expandAll } from "./expand.ts";

/** A configured server, with variables expanded and defaults filled in. */
export interface ConfiguredServer {
  readonly server: McpServer;
  readonly isDisabled: boolean;
  readonly trustsAnnotations: boolean;
  readonly acceptsChanges?: true;
  readonly startup: "eager" | "lazy";
  readonly timeoutMs?: number;
  readonly connectTimeoutMs?: number;
  readonly maxResultBytes?: number;
  /** Values to mask in output: tokens in headers, environment and URL. */
  readonly secrets: readonly string[];
}

/** The values that entries of `mcpServers` are resolved against. */
interface ConfigContext {
  readonly variables: Variables;
  /** The environment of every child process. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder that relative paths are resolved against. */
  readonly root: string;
  /** Folders that a sandboxed program may write to; default: the root. */
  readonly workspace?: readonly string[];
  /** Returns the variables that an entry inherits by name; default: none. */
  readonly inherited?: (names: readonly string[]) => Texts;
  /** The file that the entry names as `envFile`. */
  readonly envFile?: EnvFile | undefined;
  /** When a server starts whose entry does not say it; default: `eager`. */
  readonly startup?: "eager" | "lazy";
}

const OPEN_HEADERS: ReadonlySet<string> = new Set(
  "accept accept-language content-type user-agent".split(" "),
);

const NAME_EXPECTED =
  "its name must be letters, digits, _ . and -, at most 48, and begin with a letter or digit";

/** Returns the problem of a name that cannot be part of tool names, with one that can. */
function nameProblem(name: string): ConfigProblem {
  const near = name.replaceAll(/[^A-Za-z0-9_.-]+/g, "-").replaceAll(/^[^A-Za-z0-9]+|-+$/g, "");
  const hint = isServerName(near) ? { hint: `rename it, for example to ${JSON.stringify(near)}` } : {};
  return { problem: NAME_EXPECTED, ...hint };
}

/** Reads one entry of `mcpServers`, in the form that all MCP clients share. Never throws. */
export function readServer(
  name: string,
  written: Json,
  context: ConfigContext,
): ConfiguredServer | ConfigProblem {
  if (!isServerName(name)) return nameProblem(name);
  const checked = checkWritten(written, name);
  if ("problem" in checked) return checked;
  try {
    return configured(checked.entry, context);
  } catch (error) {
    if (!(error instanceof ExpansionError)) throw error;
    return {
      problem: error.message,
      hint: 'set it and name it under "environment" in your own config, or write a default: ${NAME:-default}',
    };
  }
}

function configured(entry: WrittenServer, context: ConfigContext): ConfiguredServer | ConfigProblem {
  const server = entry.command === undefined ? toHttp(entry, context.variables) : toStdio(entry, context);
  if ("problem" in server) return server;
  const { disabled = false, trustAnnotations = false, acceptChanges = false } = entry;
  const {
    timeoutSeconds,
    connectTimeoutSeconds,
    maxResultBytes,
    startup = context.startup ?? "eager",
  } = entry;
  return {
    server,
    isDisabled: disabled,
    trustsAnnotations: trustAnnotations,
    ...(acceptChanges && { acceptsChanges: true as const }),
    startup,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
    ...(connectTimeoutSeconds !== undefined && { connectTimeoutMs: connectTimeoutSeconds * 1000 }),
    ...defined({ maxResultBytes }),
    secrets: server.kind === "stdio" ? secretValues(ownVariables(entry, context)) : secretsOfServer(server),
  };
}

function toStdio(entry: WrittenServer, context: ConfigContext): McpServer | ConfigProblem {
  const { command = "", args = [], cwd = "." } = entry;
  const { variables, environment, root, envFile } = context;
  if (typeof envFile?.content === "object") return envFile.content;
  return {
    kind: "stdio",
    command: expand(command, variables),
    args: args.map((one) => expand(one, variables)),
    environment: { ...environment, ...ownVariables(entry, context) },
    cwd: resolve(root, expand(cwd, variables)),
    ...(entry.sandbox !== undefined && { box: toBox(entry, context) }),
  };
}

/** Returns the variables that only this server gets: inherited ones, those of its file, and those of its entry. */
function ownVariables({ env, inherit = [] }: WrittenServer, context: ConfigContext): Texts {
  const { variables, envFile, inherited = () => ({}) } = context;
  const inFile = typeof envFile?.content === "string" ? parseEnv(envFile.content) : {};
  return { ...inherited(inherit), ...(inFile as Texts), ...expandAll(env, variables) };
}

/** Uses the user's own PATH: an entry must not choose the program that creates the sandbox. */
function toBox(
  { network = false, readable = [] }: WrittenServer,
  { variables, environment, root, workspace }: ConfigContext,
): Box {
  return {
    path: environment["PATH"] ?? "",
    workspace: workspace ?? [root],
    readable: readable.map((one) => resolve(root, expand(one, variables))),
    hasNetwork: network,
  };
}

function toHttp(
  { url = "", type, headers, oauth }: WrittenServer,
  variables: Variables,
): McpServer | ConfigProblem {
  const address = expand(url, variables);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    return { problem: `its url is not an http address: ${JSON.stringify(url)}` };
  const { username, password } = new URL(address);
  // Refused here because fetch would refuse it too, with the password in its message.
  if (username !== "" || password !== "")
    return {
      problem: "its url contains a user name or a password",
      hint: "set an Authorization header instead",
    };
  const filledIn = expandAll(headers, variables);
  const unsendable = Object.entries(filledIn).find(([name, value]) => !isHeader(name, value));
  // The value is left out of the message: it is usually a token.
  if (unsendable !== undefined)
    return {
      problem: `its header ${JSON.stringify(unsendable[0])} cannot be sent`,
      hint: "its name must be one word, and its value one line",
    };
  const transport = type === undefined ? "auto" : type === "sse" ? "sse" : "http";
  return {
    kind: "http",
    url: address,
    headers: filledIn,
    transport,
    ...(oauth !== undefined && { oauth: toOAuth(oauth, variables) }),
  };
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}

function toOAuth({ redirectPort, ...texts }: WrittenOAuth, variables: Variables): OAuthSettings {
  const { clientId, clientSecret, scope } = expandAll(texts, variables);
  return defined({ clientId, clientSecret, scope, redirectPort });
}

/** Returns the values to mask in output: those of secret variables, of headers, of the URL and of the login. */
export function secretsOfServer(server: McpServer): readonly string[] {
  if (server.kind === "stdio") return secretValues(server.environment);
  const { url, headers, oauth } = server;
  const { searchParams } = new URL(url);
  const closed = Object.entries(headers).filter(([name]) => !OPEN_HEADERS.has(name.toLowerCase()));
  return [
    ...closed.flatMap(([, value]) => [value, value.replace(/^(?:Bearer|Basic|Token)\s+/i, "")]),
    ...(oauth?.clientSecret === undefined ? [] : [oauth.clientSecret]),
    ...secretValues(Object.fromEntries(searchParams)),
  ];
}

function secretValues(table: Texts): readonly string[] {
  const proxies = Object.entries(table).filter(([name]) => /_proxy$/i.test(name));
  return [...secretsIn(table), ...proxies.flatMap(([, value]) => passwordIn(value))];
}

function passwordIn(url: string): readonly string[] {
  const password = URL.canParse(url) ? new URL(url).password : "";
  return password === "" ? [] : [password];
}
