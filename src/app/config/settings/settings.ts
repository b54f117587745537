import { boolean, integer, list, oneOf, record, string } from "../../../schema/define/schema.ts";
import { checkGlobs, HOOKS, parseHooks } from "../hooks/parse-hooks.ts";
import { AUTH } from "./auth-setting.ts";
import { APIS } from "./api-setting.ts";
import { BUDGET, tighterBudget } from "./budget-setting.ts";
import { MODEL, MODEL_ID, MODELS } from "./model-setting.ts";
import { SANDBOX_KINDS, SANDBOX_OPTIONS, type SandboxKind } from "./sandbox-setting.ts";
import * as values from "./setting-values.ts";
import { WEB } from "./web-setting.ts";
import { BROWSER } from "./browser-setting.ts";
import { AFTER_TEXT, BORDER, LEVEL, MODE, SHELL, STRICT_DENY } from "./policy-settings.ts";
import { SECRET_PATTERNS } from "./secret-patterns-setting.ts";
import { KEEP_DAYS, KEEP_MEGABYTES, LOST_STORE, STORE } from "./store-settings.ts";
import { FLEET } from "./fleet-setting.ts";
import { limit, lower, merge, merged, parsed, setting, type Setting } from "./setting.ts";
import { NOTIFY } from "./notify-setting.ts";
import { THEMES, type Theme } from "./theme-setting.ts";
import { LOG } from "./log-setting.ts";

/** Every setting, in the order in which `toolwright config` and the docs show them. */
export const SETTINGS = {
  mode: MODE,
  store: STORE,
  keepDays: KEEP_DAYS,
  keepMegabytes: KEEP_MEGABYTES,
  lostStore: LOST_STORE,
  model: MODEL,
  models: merged("addresses, windows, prices and dialects of models, by provider/name or provider", MODELS),
  smallModel: setting({
    summary: "model that answers questions about web pages, provider/name",
    fallback: "",
    schema: MODEL_ID,
  }),
  visionModel: setting({
    summary: "model that answers questions about images, provider/name",
    fallback: "",
    schema: MODEL_ID,
  }),
  budget: setting({
    summary: "limits of one task of an agent",
    fallback: { turns: 100 },
    schema: BUDGET,
    combine: merge,
    tighten: tighterBudget,
  }),
  notify: NOTIFY,
  theme: setting<Theme>({
    summary: "colours of the REPL: dark, light, ansi (no backgrounds) or none",
    fallback: "dark",
    schema: oneOf([...THEMES]),
  }),
  vim: setting({
    summary: "whether the prompt of the REPL has the keys of vi",
    fallback: false,
    schema: boolean(),
  }),
  timeoutSeconds: setting({
    summary: "time limit of a call (seconds)",
    flag: "timeout",
    variable: "TOOLWRIGHT_TIMEOUT",
    fallback: 30,
    schema: values.seconds(),
    fromText: values.toNumber,
    tighten: lower,
    isTrustable: true,
  }),
  approvalTimeoutSeconds: setting({
    summary: "time limit of an approval (seconds); after it the call is denied",
    variable: "TOOLWRIGHT_APPROVAL_TIMEOUT",
    fallback: 300,
    schema: values.seconds(),
    fromText: values.toNumber,
    tighten: lower,
  }),
  concurrency: setting({
    summary: "how many calls of a batch, or of all clients of the gateway, run at the same time",
    fallback: 16,
    schema: integer(undefined, { min: 1, max: 256 }),
    tighten: lower,
    isTrustable: true,
  }),
  afterUntrustedText: AFTER_TEXT,
  border: BORDER,
  roots: setting({
    summary: "folders that tools may touch besides the current one",
    fallback: [],
    schema: list(values.folder()),
    isTrustable: true,
  }),
  broadWorkspace: setting({
    summary:
      "true: MCP clients may have /, or a folder that contains your home, as their workspace, and the other commands do not warn about it",
    fallback: false,
    schema: boolean(),
  }),
  environment: setting({
    summary: "environment variables that commands see; a name may end in *",
    fallback: [],
    schema: list(
      string(undefined, {
        pattern: "^[A-Za-z_][A-Za-z0-9_]*\\*?$",
        expected: "a variable name, which may end in *",
      }),
    ),
    isTrustable: true,
  }),
  toolDirectories: setting({
    summary: "folders whose programs are tools, besides ~/.toolwright/tools",
    fallback: [],
    schema: list(values.folder()),
  }),
  externalTools: merged("risk, effects and deadline of single programs, by tool name", values.EXTERNAL_TOOLS),
  commandTools: merged(
    "tools without code, by name: a command with {parameters}; see docs/external-tools.md",
    record(values.anyObject),
  ),
  mcpServers: setting({
    summary: "MCP servers whose tools can be called, by name; see docs/mcp.md",
    fallback: {},
    schema: record(values.anyObject),
    combine: merge,
    isByItem: true,
    hidesValues: true,
  }),
  mcpStartup: setting<"eager" | "lazy">({
    summary: "whether MCP servers start with the program, or at the first call of their tools",
    fallback: "eager",
    schema: oneOf(["eager", "lazy"]),
  }),
  apis: setting({
    summary: "HTTP APIs whose operations can be called, by name; see docs/http-apis.md",
    fallback: {},
    schema: APIS,
    combine: merge,
    hidesValues: true,
  }),
  presets: setting({
    summary: "parameter values that the model neither sees nor sets, by tool name",
    fallback: {},
    schema: record(values.anyObject),
    combine: merge,
    hidesValues: true,
  }),
  secretPatterns: SECRET_PATTERNS,
  groups: setting({
    summary: "groups of tools to switch on or off",
    fallback: {},
    schema: record(boolean()),
    combine: merge,
    tighten: (base, wish) => (Object.values(wish).includes(true) ? undefined : { ...base, ...wish }),
    isTrustable: true,
  }),
  toolLimit: limit("how many tools a model or an MCP client sees; it searches for the others", 8),
  toolTokens: limit("how many tokens of them are not built in; the others are searched", 0),
  mcpClients: merged("what MCP clients get, by name; see docs/mcp-gateway.md", values.MCP_CLIENTS),
  hooks: parsed({
    summary: "programs and prompts that run around calls; see docs/hooks.md",
    fallback: [],
    schema: HOOKS,
    parse: parseHooks,
    combine: (below, above) => [...below, ...above],
    isByItem: true,
  }),
  watch: parsed({
    summary: "globs of files whose changes by other programs run hooks, in processes that stay",
    fallback: [],
    schema: values.texts(),
    parse: checkGlobs,
    isTrustable: true,
  }),
  shell: SHELL,
  level: LEVEL,
  strictDeny: STRICT_DENY,
  partialPatches: setting({
    summary: "true: of a patch that fails at a file, the files before it are changed; else none is",
    fallback: false,
    schema: boolean(),
  }),
  sandbox: setting<SandboxKind>({
    summary: "where programs run: none is this machine, auto a sandbox that works; see docs/sandbox.md",
    flag: "sandbox",
    variable: "TOOLWRIGHT_SANDBOX",
    fallback: "none",
    schema: oneOf(SANDBOX_KINDS),
  }),
  sandboxOptions: merged("what programs in the sandbox may do", SANDBOX_OPTIONS),
  telemetry: merged(
    "where spans and metrics are sent, in the form of OpenTelemetry; see docs/telemetry.md",
    values.TELEMETRY,
  ),
  fleet: merged("workers on other machines, reached over NATS; see docs/fleet.md", FLEET),
  browser: merged("the browser of the browser tools; see docs/browser.md", BROWSER),
  web: merged("what the tools for the web may reach, and the search service", WEB),
  auth: AUTH,
  log: LOG,
};

export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};
