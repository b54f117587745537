import { isAbsolute, resolve } from "node:path";
import {
  AFTER_UNTRUSTED_TEXT,
  BORDERS,
  LEVELS,
  MODES,
  type AfterUntrustedText,
  type Border,
  type Level,
  type Mode,
} from "../../core/policy.ts";
import { boolean, integer, list, oneOf, record, string } from "../../schema/define/schema.ts";
import { checkGlobs, HOOKS, parseHooks } from "./hooks/parse-hooks.ts";
import { APIS } from "./api-setting.ts";
import { BUDGET, tighterBudget } from "./budget-setting.ts";
import { MODEL_ID, MODELS } from "./model-setting.ts";
import { SANDBOX_KINDS, SANDBOX_OPTIONS, type SandboxKind } from "./sandbox-setting.ts";
import * as values from "./setting-values.ts";
import { WEB } from "./web-setting.ts";
import { suggestModel } from "../../models/suggest-model.ts";
import { BROWSER } from "./browser-setting.ts";
import { checkSecretPatterns } from "./config-masker.ts";
import { FLEET } from "./fleet-setting.ts";
import { limit, lower, merge, merged, parsed, setting, type Setting } from "./setting.ts";
import { NOTIFY } from "./notify-setting.ts";
import { THEMES, type Theme } from "./theme-setting.ts";
import { LOG } from "./log-setting.ts";

/** Every setting, in the order in which `toolwright config` and the docs show them. */
export const SETTINGS = {
  mode: setting<Mode>({
    summary: "approval mode: which calls run without approval",
    flag: "mode",
    variable: "TOOLWRIGHT_MODE",
    fallback: "auto",
    schema: oneOf(MODES),
    tighten: (base, wish) => (values.TIGHTER_MODES[base].includes(wish) ? wish : undefined),
    isTrustable: true,
  }),
  store: setting({
    summary: "folder in which calls and artifacts are stored, :memory:, or nats: see docs/fleet.md",
    flag: "store",
    variable: "TOOLWRIGHT_STORE",
    fallback: "",
    schema: string(undefined, {
      pattern: "^(:memory:$|nats$|/|~(/|$))",
      expected: "an absolute path, one that begins with ~/, :memory: or nats",
    }),
    fromText: (text, cwd) =>
      text === ":memory:" || text === "nats" || isAbsolute(text) || /^~(\/|$)/.test(text)
        ? text
        : resolve(cwd, text),
  }),
  keepDays: setting({
    summary: "days for which calls and their answers are stored",
    fallback: 90,
    schema: integer(undefined, { min: 1, max: 36_500 }),
  }),
  keepMegabytes: setting({
    summary: "size of the database of the store (MB) above which the oldest answered calls are deleted",
    fallback: 2048,
    schema: integer(undefined, { min: 16, max: 1_048_576 }),
  }),
  lostStore: setting<"fail" | "new">({
    summary: "whether calls fail or go to a new store when the store is deleted or moved",
    fallback: "fail",
    schema: oneOf(["fail", "new"]),
  }),
  model: setting({
    summary: "model that agents use, provider/name; see docs/models.md",
    flag: "model",
    variable: "TOOLWRIGHT_MODEL",
    fallback: "",
    schema: MODEL_ID,
    hintOf: (written) => {
      const meant = suggestModel(written);
      return meant === undefined ? undefined : `did you mean ${meant}?`;
    },
    isTrustable: true,
  }),
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
  afterUntrustedText: setting<AfterUntrustedText>({
    summary:
      "whether calls that can send data need approval after text from outside entered the session: ask, always (in mode yolo too) or off; see docs/policy.md",
    fallback: "ask",
    schema: oneOf(AFTER_UNTRUSTED_TEXT),
    tighten: (base, wish) => (values.TIGHTER_AFTER_UNTRUSTED_TEXT[base].includes(wish) ? wish : undefined),
  }),
  border: setting<Border>({
    summary:
      "what happens to calls that touch paths outside the workspace: ask (but not in mode yolo, or to read files of the operating system) or deny; see docs/policy.md",
    fallback: "ask",
    schema: oneOf(BORDERS),
    tighten: (_, wish) => (wish === "deny" ? wish : undefined),
  }),
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
  secretPatterns: parsed({
    summary: "regular expressions of further secrets to mask, by name; see docs/secrets.md",
    fallback: {},
    schema: record(string(undefined, { min: 1 })),
    parse: checkSecretPatterns,
    combine: merge,
  }),
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
  shell: setting({
    summary: "how commands are judged",
    fallback: { readOnlyIsLow: true, sandbox: true },
    schema: values.SHELL,
    combine: merge,
    tighten: (base, wish) =>
      wish.sandbox === !base.sandbox || (wish.readOnlyIsLow && !base.readOnlyIsLow)
        ? undefined
        : { ...base, ...wish },
  }),
  level: setting<Level>({
    summary:
      "what happens to a command that no rule allows: ask; read-only: it is tried in a read-only sandbox first; workspace: it runs in a sandbox that can change the workspace only; see docs/sandbox.md",
    flag: "level",
    variable: "TOOLWRIGHT_LEVEL",
    fallback: "ask",
    schema: oneOf(LEVELS),
    tighten: (_, wish) => (wish === "ask" ? wish : undefined),
  }),
  strictDeny: setting({
    summary:
      "true: with a deny rule of your own, interpreters and unknown programs run only in a sandbox; see docs/policy.md",
    fallback: false,
    schema: boolean(),
    tighten: (base, wish) => (wish || !base ? wish : undefined),
  }),
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
  log: LOG,
};

export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};
