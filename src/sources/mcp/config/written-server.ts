import { ToolError } from "../../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { nearNames } from "../../../util/text/near-names.ts";
import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Infer,
  type Schema,
} from "../../../schema/define/schema.ts";
import { parseDocument } from "../../../schema/parse-document.ts";
import { defined } from "../../../util/json/defined.ts";

const text = (description: string): Schema<string> => string(description, { min: 1 });
const seconds = (description: string): Schema<number> => ({
  ...number(description, { max: 86_400 }),
  exclusiveMinimum: 0,
});
/** Other clients have keys of their own in the same file. */
const open = <T>(schema: Schema<T>): Schema<T> => ({ ...schema, additionalProperties: true });

const OAUTH = open(
  object(
    {
      clientId: optional(text("The id of a client that is registered at the server")),
      // A secret in a config ends up wherever the config does.
      clientSecret: optional(
        string("The variable that holds the client's secret", {
          pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$",
          expected: "a variable, as in ${NAME}",
        }),
      ),
      scope: optional(text("The scopes to ask for")),
      redirectPort: optional(integer("The port for the browser's answer", { min: 1, max: 65_535 })),
    },
    "How to log in",
  ),
);

const SERVER = open(
  object({
    command: optional(text("The program to start")),
    args: optional(list(string(), "Its arguments")),
    env: optional(record(string(), "Its environment variables; ${NAME} stands for one of yours")),
    envFile: optional(text("A file of further variables, NAME=value; those of env win")),
    inherit: optional(
      list(
        string(undefined, {
          pattern: "^[A-Za-z_][A-Za-z0-9_]*\\*?$",
          expected: "a variable name, which may end in *",
        }),
        "In your own config only: variables of yours that it gets, such as DISPLAY",
      ),
    ),
    cwd: optional(text("The folder it runs in")),
    url: optional(text("The address of a server that runs elsewhere")),
    httpUrl: optional(text("The same, as Gemini CLI and Qwen Code write it")),
    serverUrl: optional(text("The same, as Windsurf writes it")),
    headers: optional(record(string(), "Headers of every request")),
    type: optional(oneOf(["stdio", "http", "streamable-http", "streamableHttp", "sse"], "The transport")),
    disabled: optional(boolean("True: it is not used")),
    timeoutSeconds: optional(seconds("The time limit of a call")),
    timeout: optional({
      ...number("The same, as other clients write it: up to 999 are seconds, over 3600 milliseconds"),
      exclusiveMinimum: 0,
    } as Schema<number>),
    connectTimeoutSeconds: optional(seconds("The time limit of a connection")),
    maxResultBytes: optional(
      integer("MCP clients get answers with more text than this cut; default: as they came", { min: 10_240 }),
    ),
    startup: optional(oneOf(["eager", "lazy"], "lazy: it is started by the first call")),
    autoApprove: optional(
      list(
        string(undefined, { min: 1 }),
        "In your own config only: tools that need no approval; * is any text",
      ),
    ),
    acceptChanges: optional(
      boolean("In your own config only: true: changed and added tools need no approval"),
    ),
    trustAnnotations: optional(boolean("True: use its annotations for the risk and effects of its tools")),
    oauth: optional(OAUTH),
    sandbox: optional(oneOf(["bubblewrap"], "Runs the program in a sandbox")),
    network: optional(boolean("With sandbox: the program may use the network")),
    readable: optional(list(string(), "With sandbox: further folders that the program may read")),
  }),
);

/** Keys that count only in the user's own config. */
export const OWN_KEYS = ["acceptChanges", "autoApprove", "inherit", "trustAnnotations"] as const;

/** One entry of `mcpServers`, as it is written. */
export type WrittenServer = Infer<typeof SERVER>;
export type WrittenOAuth = Infer<typeof OAUTH>;

/** The JSON Schema of `mcpServers`. */
export const MCP_SERVERS_SCHEMA: JsonObject = record(
  SERVER,
  "MCP servers whose tools can be called, by name",
);

/** Says why a server cannot be used. */
export interface ConfigProblem {
  readonly problem: string;
  readonly hint?: string;
}

/** Returns the entry of that name, checked, or what is wrong with it. Values are not shown: they may be secrets. */
export function checkWritten(value: Json, name: string): { readonly entry: WrittenServer } | ConfigProblem {
  try {
    const entry = parseDocument(SERVER, value, {
      place: `mcpServers.${name}`,
      defaults: false,
      hideValues: true,
    });
    const { httpUrl, serverUrl, timeout, ...rest } = entry;
    const url = rest.url ?? httpUrl ?? serverUrl;
    const timeoutSeconds = rest.timeoutSeconds ?? toSeconds(timeout);
    if (typeof timeoutSeconds === "string") return { problem: timeoutSeconds };
    const named = { ...rest, ...defined({ url, timeoutSeconds }) };
    const problem = problemIn(named, Object.keys(isObject(value) ? value : {}));
    return problem === undefined ? { entry: named } : { problem };
  } catch (error) {
    if (error instanceof ToolError) return { problem: error.message };
    throw error;
  }
}

/** Converts `timeout`, which is in seconds in some clients (at most 3600), in milliseconds in others; returns a problem if it may be either. */
function toSeconds(timeout: number | undefined): number | string | undefined {
  if (timeout === undefined || timeout < 1000) return timeout;
  if (timeout > 3600) return Math.min(timeout / 1000, 86_400);
  return `its timeout of ${timeout} may be seconds or milliseconds; write "timeoutSeconds" instead`;
}

function problemIn({ command, url, ...entry }: WrittenServer, keys: readonly string[]): string | undefined {
  if (command === undefined && url === undefined) {
    const [near] = keys.flatMap((key) => nearNames(key, ["command", "url"]));
    const meant = near === undefined ? "" : `; did you mean "${near}"?`;
    return `it has neither "command" nor "url"${meant}`;
  }
  if (command !== undefined && url !== undefined) return 'it has both "command" and "url"';
  if (url === undefined) return undefined;
  if (entry.sandbox !== undefined)
    return '"sandbox" cannot be used with "url": only a program can be sandboxed';
  const ofPrograms = (["envFile", "inherit"] as const).find((key) => entry[key] !== undefined);
  return ofPrograms && `"${ofPrograms}" cannot be used with "url": only a program gets variables`;
}
