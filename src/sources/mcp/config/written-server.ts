import { ToolError } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
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
    cwd: optional(text("The folder it runs in")),
    url: optional(text("The address of a server that runs elsewhere")),
    httpUrl: optional(text("The same, as Gemini CLI and Qwen Code write it")),
    serverUrl: optional(text("The same, as Windsurf writes it")),
    headers: optional(record(string(), "Headers of every request")),
    type: optional(oneOf(["stdio", "http", "streamable-http", "streamableHttp", "sse"], "The transport")),
    disabled: optional(boolean("True: it is not used")),
    timeoutSeconds: optional(seconds("The time limit of a call")),
    connectTimeoutSeconds: optional(seconds("The time limit of a connection")),
    maxResultBytes: optional(
      integer("MCP clients get answers with more text than this cut; default: as they came", { min: 10_240 }),
    ),
    startup: optional(oneOf(["eager", "lazy"], "lazy: it is started by the first call")),
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

/** One entry of `mcpServers`, as it is written. */
export type WrittenServer = Infer<typeof SERVER>;
export type WrittenOAuth = Infer<typeof OAUTH>;

/** The JSON Schema of `mcpServers`. */
export const MCP_SERVERS_SCHEMA: JsonObject = record(
  SERVER,
  "MCP servers whose tools can be called, by name",
);

/** Returns the entry of that name, checked, or what is wrong with it. Values are not shown: they may be secrets. */
export function checkWritten(
  written: Json,
  name: string,
): { readonly entry: WrittenServer } | { readonly problem: string } {
  try {
    const entry = parseDocument(SERVER, written, {
      place: `mcpServers.${name}`,
      defaults: false,
      hideValues: true,
    });
    const { httpUrl, serverUrl, ...rest } = entry;
    const url = rest.url ?? httpUrl ?? serverUrl;
    const named = url === undefined ? rest : { ...rest, url };
    const problem = problemIn(named);
    return problem === undefined ? { entry: named } : { problem };
  } catch (error) {
    if (error instanceof ToolError) return { problem: error.message };
    throw error;
  }
}

function problemIn({ command, url, sandbox }: WrittenServer): string | undefined {
  if (command === undefined && url === undefined) return 'it has neither "command" nor "url"';
  if (command !== undefined && url !== undefined) return 'it has both "command" and "url"';
  return url !== undefined && sandbox !== undefined
    ? '"sandbox" cannot be used with "url": only a program can be sandboxed'
    : undefined;
}
