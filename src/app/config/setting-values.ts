import type { Budget } from "../../agent/budget/budget.ts";
import type { JsonObject } from "../../core/json.ts";
import { AFTER_UNTRUSTED_TEXT, MODES, type AfterUntrustedText, type Mode } from "../../core/policy.ts";
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
} from "../../schema/define/schema.ts";
import { defined } from "../../util/json/defined.ts";

/** A number of seconds that a call or a wait may take. */
export const seconds = (description?: string): Schema<number> => ({
  ...number(description, { max: 86_400 }),
  exclusiveMinimum: 0,
});

/** A folder that is the same wherever the program is started. */
export const folder = (description?: string): Schema<string> =>
  string(description, { pattern: "^(/|~(/|$))", expected: "an absolute path or one that begins with ~/" });

/** An object whose contents are checked elsewhere, or by nobody. */
export const anyObject: Schema<JsonObject> = { type: "object" };

/** A list of texts that are not empty. */
export const texts = (description?: string): Schema<readonly string[]> =>
  list(string(undefined, { min: 1 }), description);

/** A host with a scheme would silently match nothing. */
const hosts = (description: string): Schema<readonly string[]> =>
  list(
    string(undefined, {
      pattern: "^(?!.*://).+$",
      expected: "a host, or *.example.com for its subdomains, without https://",
    }),
    description,
  );

const amount = (description?: string): Schema<number> => number(description, { min: 0 });
const rate = optional(amount());
const count = (description?: string): Schema<number> => integer(description, { min: 1 });
export const aboveZero = (description: string): Schema<number> => ({
  ...number(description),
  exclusiveMinimum: 0,
});

const address = (description: string): Schema<string> =>
  string(description, { pattern: "^https?://\\S+$", expected: "an http or https address" });
const variable = (description: string): Schema<string> =>
  string(description, {
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    expected: "the name of an environment variable",
  });

export const MODEL_ID = string(undefined, {
  pattern: "^[^/\\s]+/\\S",
  expected: "provider/name, such as anthropic/NAME or ollama/NAME",
});

const MODEL = object({
  baseUrl: optional(address("The address of its server")),
  keyVariable: optional(variable("The environment variable that holds its key")),
  window: optional(count("How many tokens a request and its answer may have together")),
  price: optional(
    object({ input: amount(), output: amount(), cached: rate, cacheWrite: rate }, "USD for a million tokens"),
  ),
  dialect: optional(string("How it writes calls: native, auto or the name of a text dialect")),
  defersTools: optional(boolean("Use the provider's deferred tools; default: by the name of the model")),
  temperature: optional(number("The temperature of its requests", { min: 0, max: 2 })),
  maxOutputTokens: optional(count("How many tokens one answer may have")),
});

/** What the user configures for one model. */
export type ModelSetting = Infer<typeof MODEL>;
export const MODELS = record(MODEL);

/** The limits of a task, in units that people write. */
export const BUDGET = object({
  turns: optional(count("Requests to the model")),
  tokens: optional(count("Tokens of all requests and answers")),
  money: optional(aboveZero("Spending limit (USD)")),
  seconds: optional(aboveZero("Time limit (seconds)")),
  calls: optional(count("Tool calls")),
});
export type BudgetSetting = Infer<typeof BUDGET>;

/** Returns the smaller limit of each kind. */
export function tighterBudget(base: BudgetSetting, wish: BudgetSetting): BudgetSetting {
  const limits = [base, wish].flatMap((one) => Object.entries(one) as [keyof BudgetSetting, number][]);
  const tighter: Partial<Record<keyof BudgetSetting, number>> = {};
  for (const [key, limit] of limits) tighter[key] = Math.min(tighter[key] ?? Infinity, limit);
  return tighter;
}

/** Returns the budget in the agent's units. */
export function toBudget({ seconds: limit, ...rest }: BudgetSetting): Budget {
  return { ...rest, ...defined({ timeMs: limit === undefined ? undefined : limit * 1000 }) };
}

const EXTERNAL_TOOL = object({
  risk: optional(oneOf(["low", "medium", "high"])),
  effects: optional(oneOf(["none", "own-state", "idempotent", "unsafe"])),
  timeoutSeconds: optional(seconds("The deadline of a call")),
});

/** What the user configures for single external tools, by tool name. */
export const EXTERNAL_TOOLS = record(EXTERNAL_TOOL);

const MCP_CLIENT = object({
  structuredContent: optional(
    oneOf(
      ["given", "always", "never"],
      "given: of MCP servers as they sent it, of other tools if it holds the whole answer; always: of every tool; never: of none",
    ),
  ),
  maxResultBytes: optional(
    integer("Answers of MCP servers with more text than this are cut; default: passed on as they came", {
      min: 10_240,
    }),
  ),
  approvals: optional(
    oneOf(
      ["form", "queue"],
      "form: approvals are shown by the client and wait for toolwright approve, the first answer counts; queue: only toolwright approve answers",
    ),
  ),
});

/** What the user configures for one MCP client of the gateway. */
export const MCP_CLIENTS = record(MCP_CLIENT);

export const SHELL = object({
  readOnlyIsLow: optional(boolean("True: commands proven to read have low risk; false: none has"), true),
  sandbox: optional(
    boolean(
      "True: commands that run only because they are proven to read run in a read-only sandbox; false: only a few basic commands run without approval",
    ),
    true,
  ),
});

/** Where programs run: see docs/sandbox.md. */
export const SANDBOX_KINDS = [
  "none",
  "auto",
  "bubblewrap",
  "srt",
  "seatbelt",
  "podman",
  "docker",
  "process",
] as const;
export type SandboxKind = (typeof SANDBOX_KINDS)[number];

export const SANDBOX_OPTIONS = object({
  network: optional(boolean("True: programs in the sandbox can reach the network"), false),
  runsUnasked: optional(
    boolean(
      "True: in mode auto and edits, commands run without approval in a sandbox without network; what is denied stays denied",
    ),
    false,
  ),
  domains: optional(
    hosts(
      "With bubblewrap or srt: hosts that programs may reach through a proxy; *.example.com is every subdomain",
    ),
    [],
  ),
  workspace: optional(
    oneOf(
      ["write", "copy"],
      "write: programs change the workspace itself; copy: they change a copy, see toolwright sandbox; all file tools then work on the copy too",
    ),
    "write",
  ),
  tools: optional(
    oneOf(
      ["programs", "all"],
      "programs: tools that run programs work in the sandbox; all: those that read and change files, too",
    ),
    "programs",
  ),
  memoryMb: optional(
    integer("Memory of each process, and of all together where the system allows that (MB)", { min: 256 }),
    4096,
  ),
  processes: optional(integer("How many processes run at the same time", { min: 16, max: 100_000 }), 4096),
  tmpMb: optional(integer("Size of the private /tmp and home folder, each (MB)", { min: 1 }), 1024),
  mounts: optional(
    boolean(
      "With podman or docker: false copies the workspace into the container and back, for an engine on another machine; needs image, and workspace: copy",
    ),
    true,
  ),
  image: optional(
    string(
      "With podman or docker: an image that contains toolwright-tool-server; default: the programs of this machine",
      { min: 1 },
    ),
  ),
});
export type SandboxOptions = Infer<typeof SANDBOX_OPTIONS>;

export const TELEMETRY = object({
  endpoint: optional(address("The address of a collector that takes OTLP over HTTP")),
  content: optional(boolean("True: spans have the inputs and answers of calls, masked and cut")),
});

export const WEB = object({
  allowedDomains: optional(hosts("Only these hosts are fetched from; *.example.com is every subdomain")),
  blockedDomains: optional(hosts("Hosts that are not fetched from")),
  trustedHosts: optional(
    hosts("Hosts that web_fetch reads without approval, such as those of documentation"),
  ),
  privateHosts: optional(
    list(
      string(undefined, {
        pattern: "^(?!\\w+://)[^@\\s]+$",
        expected: "a host, an address or a subnet, each with :PORT for one port only",
      }),
      "Hosts, addresses and subnets of private networks that may be reached, each with :PORT for one port only",
    ),
  ),
  ports: optional(list(integer(undefined, { min: 1, max: 65_535 }), "Ports besides 80, 443, 8080 and 8443")),
  proxy: optional(address("The address of an HTTP proxy")),
  search: optional(
    object(
      {
        service: oneOf(["searxng", "brave", "tavily"]),
        url: optional(address("The address of the service; needed for searxng")),
        keyVariable: optional(variable("The environment variable that holds the key")),
      },
      "The service of web_search",
    ),
  ),
});

const API_LOGIN = object(
  {
    type: oneOf(["bearer", "apiKey", "basic", "oauth2"]),
    variable: variable(
      "The environment variable with the token, the key, user:password, or the secret of the client",
    ),
    in: optional(oneOf(["header", "query", "cookie"], "Where the key goes; default: as the document says")),
    name: optional(string("The name of the header, parameter or cookie with the key", { min: 1 })),
    clientId: optional(string("The id of the client, for oauth2", { min: 1 })),
    tokenUrl: optional(address("Where oauth2 gets tokens; default: as the document says")),
    scope: optional(string("The scopes that oauth2 asks for", { min: 1 })),
  },
  "How to log in",
);

const API = object({
  spec: string("The OpenAPI document: a path or an address", {
    pattern: "^(https?://\\S|/|~/)",
    expected: "an http address, an absolute path or one that begins with ~/",
  }),
  url: optional(address("The address of the API; default: the first server of the document")),
  auth: optional(API_LOGIN),
  headers: optional(record(string(), "Headers of every request")),
  include: optional(texts("Only these operations: names, paths, tag:NAME; * is any text")),
  exclude: optional(texts("Not these operations")),
  timeoutSeconds: optional(seconds("The deadline of a call")),
});

/** An HTTP API whose operations are tools. */
export type ApiSetting = Infer<typeof API>;
export const APIS = record(API);

/** A text that is no number stays a text, which the message about it then shows. */
export function toNumber(text: string): unknown {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/** For each mode, those that are at least as strict in everything. */
export const TIGHTER_MODES: Readonly<Record<Mode, readonly Mode[]>> = {
  yolo: MODES,
  edits: ["edits", "auto", "ask", "plan"],
  auto: ["auto", "ask", "plan"],
  // Plan runs low risk without approval, ask asks where plan denies: neither is stricter in all.
  ask: ["ask"],
  plan: ["plan"],
};

/** For each value, those that are at least as strict. */
export const TIGHTER_AFTER_UNTRUSTED_TEXT: Readonly<
  Record<AfterUntrustedText, readonly AfterUntrustedText[]>
> = {
  off: AFTER_UNTRUSTED_TEXT,
  ask: ["ask", "always"],
  always: ["always"],
};
