import { isAbsolute, resolve } from "node:path";
import type { HookDefinition } from "./hooks/definition.ts";
import type { JsonObject } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { Mode } from "../../core/policy.ts";
import { MODES } from "../../core/policy.ts";
import type { ExternalToolSetting } from "./external-tools-setting.ts";
import { EXTERNAL_TOOLS_EXPECTED, parseExternalTools } from "./external-tools-setting.ts";
import { isGlob, parseHooks } from "./hooks/hooks-setting.ts";
import type { LogSetting } from "./log-setting.ts";
import { LOG_EXPECTED, parseLogSetting } from "./log-setting.ts";
import type { BudgetSetting, ModelSetting } from "./models-setting.ts";
import {
  BUDGET_EXPECTED,
  MODELS_EXPECTED,
  parseBudget,
  parseModels,
  tighterBudget,
} from "./models-setting.ts";

/** One thing that can be set: where it can be said, what it may be, and how far a project's file may change it. */
export interface Setting<T> {
  readonly summary: string;
  readonly flag?: string;
  readonly variable?: string;
  readonly fallback: T;
  /** Says what `read` accepts. */
  readonly expected: string;
  /** The value of what was written in a file; undefined where it cannot be one. */
  read(written: unknown): T | undefined;
  /** What a flag or a variable would be if it were written in a file. */
  fromText?(text: string, cwd: string): unknown;
  /** Lays a file's value over what was set below it; left out: it replaces it. */
  combine?(below: T, above: T): T;
  /** As much of a project's wish as does not loosen; undefined where nothing is left. Left out: a project has no say. */
  tighten?(base: T, wish: T): T | undefined;
  /** A project that the user trusts in this may set it as the user would. */
  readonly isTrustable?: true;
  /** A project's are trusted one by one, and never mixed with the user's here. */
  readonly isByItem?: true;
}

const IN_FILE = "in a file: absolute, or beginning with ~/";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*\*?$/;

type ObjectTable = Readonly<Record<string, JsonObject>>;

/** Every setting, in the order in which `doctor` and the docs show them. */
export const SETTINGS = {
  mode: setting<Mode>({
    summary: "how much runs unasked",
    flag: "mode",
    variable: "TOOLWRIGHT_MODE",
    fallback: "auto",
    expected: "yolo, auto, ask or plan",
    read: (written) => MODES.find((mode) => mode === written),
    tighten: (base, wish) => (TIGHTER[base].includes(wish) ? wish : undefined),
    isTrustable: true,
  }),
  store: setting<string>({
    summary: "where calls and artifacts are kept",
    flag: "store",
    variable: "TOOLWRIGHT_STORE",
    fallback: "",
    expected: `a folder (${IN_FILE}), or :memory:`,
    read: (written) => (written === ":memory:" || isPath(written) ? written : undefined),
    fromText: (text, cwd) => (text === "" || text === ":memory:" || isPath(text) ? text : resolve(cwd, text)),
  }),
  keepDays: setting<number>({
    summary: "how many days calls and their answers are kept",
    fallback: 90,
    expected: "a whole number from 1 to 36500",
    read: (written) => (isWhole(written) && written >= 1 && written <= 36_500 ? written : undefined),
  }),
  model: setting<string>({
    summary: "the model that agents talk to, provider/name; see docs/models.md",
    flag: "model",
    variable: "TOOLWRIGHT_MODEL",
    fallback: "",
    expected: "provider/name, such as anthropic/NAME or ollama/NAME",
    read: (written) => (typeof written === "string" && /^[^/\s]+\/\S/.test(written) ? written : undefined),
    isTrustable: true,
  }),
  models: setting<Readonly<Record<string, ModelSetting>>>({
    summary: "addresses, windows, prices and dialects of models",
    fallback: {},
    expected: MODELS_EXPECTED,
    read: parseModels,
    combine: (below, above) => ({ ...below, ...above }),
  }),
  budget: setting<BudgetSetting>({
    summary: "what one task of an agent may cost",
    fallback: { turns: 100 },
    expected: BUDGET_EXPECTED,
    read: parseBudget,
    combine: (below, above) => ({ ...below, ...above }),
    tighten: tighterBudget,
  }),
  timeoutSeconds: setting<number>({
    summary: "the deadline of a call",
    flag: "timeout",
    variable: "TOOLWRIGHT_TIMEOUT",
    fallback: 30,
    expected: "a number of seconds above 0, at most 86400",
    read: (written) => (isNumber(written) && written > 0 && written <= 86_400 ? written : undefined),
    fromText: toNumber,
    tighten: (base, wish) => (wish <= base ? wish : undefined),
    isTrustable: true,
  }),
  approvalTimeoutSeconds: setting<number>({
    summary: "how long an approval is waited for; then it means no",
    variable: "TOOLWRIGHT_APPROVAL_TIMEOUT",
    fallback: 300,
    expected: "a number of seconds above 0, at most 86400",
    read: (written) => (isNumber(written) && written > 0 && written <= 86_400 ? written : undefined),
    fromText: toNumber,
    tighten: (base, wish) => (wish <= base ? wish : undefined),
  }),
  concurrency: setting<number>({
    summary: "how many calls of a batch run at a time",
    fallback: 16,
    expected: "a whole number from 1 to 256",
    read: (written) => (isWhole(written) && written >= 1 && written <= 256 ? written : undefined),
    tighten: (base, wish) => (wish <= base ? wish : undefined),
    isTrustable: true,
  }),
  roots: setting<readonly string[]>({
    summary: "folders that tools may touch besides the current one",
    fallback: [],
    expected: `a list of folders (${IN_FILE})`,
    read: (written) => (isTexts(written) && written.every(isPath) ? written : undefined),
    isTrustable: true,
  }),
  environment: setting<readonly string[]>({
    summary: "environment variables that commands may see",
    fallback: [],
    expected: "a list of names, each may end in *",
    read: (written) => (isTexts(written) && written.every((name) => NAME.test(name)) ? written : undefined),
    isTrustable: true,
  }),
  toolDirectories: setting<readonly string[]>({
    summary: "folders whose programs are tools, besides ~/.toolwright/tools",
    fallback: [],
    expected: `a list of folders (${IN_FILE})`,
    read: (written) => (isTexts(written) && written.every(isPath) ? written : undefined),
  }),
  externalTools: setting<Readonly<Record<string, ExternalToolSetting>>>({
    summary: "risk, effects and deadline of single programs, by tool name",
    fallback: {},
    expected: EXTERNAL_TOOLS_EXPECTED,
    read: parseExternalTools,
    combine: (below, above) => ({ ...below, ...above }),
  }),
  mcpServers: setting<ObjectTable>({
    summary: "MCP servers whose tools can be called, by name; see docs/mcp.md",
    fallback: {},
    expected: "an object of server names, each an object with a command or a url",
    read: toObjectTable,
    combine: (below, above) => ({ ...below, ...above }),
    isByItem: true,
  }),
  presets: setting<ObjectTable>({
    summary: "values of parameters that no model sees or sets, by tool name",
    fallback: {},
    expected: "an object of tool names, each an object of parameters and their values",
    read: toObjectTable,
    combine: (below, above) => ({ ...below, ...above }),
  }),
  groups: setting<Readonly<Record<string, boolean>>>({
    summary: "groups of tools that are switched on or off",
    fallback: {},
    expected: "an object of group names, each true or false",
    read: (written) => (isSwitches(written) ? written : undefined),
    combine: (below, above) => ({ ...below, ...above }),
    tighten: (base, wish) => (Object.values(wish).includes(true) ? undefined : { ...base, ...wish }),
    isTrustable: true,
  }),
  mcpToolLimit: setting<number>({
    summary: "above so many active tools, MCP clients of ours are shown few and search for the others",
    fallback: 100,
    expected: "a whole number from 2 to 100000",
    read: (written) => (isWhole(written) && written >= 2 && written <= 100_000 ? written : undefined),
  }),
  hooks: setting<readonly HookDefinition[]>({
    summary: "what is asked at points of the line, see docs/hooks.md",
    fallback: [],
    expected: "a list of hooks",
    read: parseHooks,
    combine: (below, above) => [...below, ...above],
    isByItem: true,
  }),
  watch: setting<readonly string[]>({
    summary: "files whose changes by others are told to hooks, in processes that stay",
    fallback: [],
    expected: "a list of globs",
    read: (written) => (isTexts(written) && written.every(isGlob) ? written : undefined),
    isTrustable: true,
  }),
  shell: setting<ShellSetting>({
    summary: "how commands are judged",
    fallback: { readOnlyIsLow: true },
    expected: '{"readOnlyIsLow": true or false}',
    read: (written) => (isShellSetting(written) ? written : undefined),
    tighten: (base, wish) => (wish.readOnlyIsLow && !base.readOnlyIsLow ? undefined : wish),
  }),
  log: setting<LogSetting | undefined>({
    summary: "which events are logged, and where",
    variable: "TOOLWRIGHT_LOG",
    fallback: undefined,
    expected: LOG_EXPECTED,
    read: (written) => (typeof written === "string" ? parseLogSetting(written) : undefined),
  }),
};

/** The settings that a project's file may tighten: mode × what it may become. */
const TIGHTER: Readonly<Record<Mode, readonly Mode[]>> = {
  yolo: MODES,
  auto: ["auto", "ask", "plan"],
  // Plan runs low risk unasked and ask asks where plan refuses: neither is stricter in all.
  ask: ["ask"],
  plan: ["plan"],
};

export interface ShellSetting {
  /** A command that is proven to read only is of low risk; false: every command is of high risk. */
  readonly readOnlyIsLow: boolean;
}

function isShellSetting(value: unknown): value is ShellSetting {
  return isObject(value) && Object.keys(value).length === 1 && typeof value["readOnlyIsLow"] === "boolean";
}

export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};

function setting<T>(one: Setting<T>): Setting<T> {
  return one;
}

function toObjectTable(written: unknown): ObjectTable | undefined {
  return isObject(written) && Object.values(written).every(isObject) ? (written as ObjectTable) : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function toNumber(text: string): unknown {
  return text.trim() === "" ? text : Number(text);
}

/** A path that means the same wherever the program is started. */
function isPath(value: unknown): value is string {
  return typeof value === "string" && (isAbsolute(value) || value === "~" || value.startsWith("~/"));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isSwitches(value: unknown): value is Readonly<Record<string, boolean>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one === "boolean");
}
