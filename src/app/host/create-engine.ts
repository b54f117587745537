import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { HOOK_POINTS } from "../../core/hook.ts";
import { AFTER_UNTRUSTED_TEXT, BORDERS, type AfterUntrustedText, type Border } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { EngineWith } from "../../engine/types/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createBareEngine } from "../../engine/bare-engine.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { parsePolicyFile } from "../../policy/rules/parse-policy.ts";
import { attempt } from "../../util/async/attempt.ts";
import { checkOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { createLazyPolicy } from "./lazy-policy.ts";
import { resolveCommandPath } from "./resolve-command-path.ts";

/** The options of `createEngine`: those of an engine, and what the built-in policy needs. */
export interface HostOptions<
  Tools extends readonly AnyTool[] = readonly AnyTool[],
> extends EngineOptions<Tools> {
  /** Rules above the built-in ones; ignored if `policy` is given. */
  readonly rules?: readonly Rule[];
  /**
   * Whether calls that can send data need approval after text from outside entered the session, despite rules that allow them. ask: yes, but in mode
   * yolo; always: in mode yolo too; off: no. Default: ask. Ignored if `policy` is given.
   */
  readonly afterUntrustedText?: AfterUntrustedText;
  /**
   * What happens to calls that touch paths outside the workspace. deny: they are refused; ask: reading files of the operating system runs in the read-only
   * sandbox, all else needs approval, but in mode yolo. A rule that names the path allows it. Default: deny. Ignored if `policy` is given.
   */
  readonly border?: Border;
}

/**
 * Creates an engine for a host program. Throws `INVALID_INPUT` on an invalid option. Output that is cut is stored in memory
 * unless `artifacts` is given. Its `call` knows the names and types of `tools`.
 */
export function createEngine<const Tools extends readonly AnyTool[] = readonly AnyTool[]>(
  hostOptions: HostOptions<Tools> = {},
): EngineWith<Tools> {
  const { rules, afterUntrustedText, border, ...options } = readHostOptions(hostOptions);
  const { mode, policy, artifacts, resolvePath } = options;
  const workspace = options.workspace?.map(
    (folder) => attempt(() => realpathSync(folder)) ?? resolve(folder),
  );
  if (rules !== undefined) parsePolicyFile({ rules }, "createEngine");
  return createBareEngine({
    ...options,
    policy:
      policy ??
      createLazyPolicy({
        home: attempt(() => realpathSync(homedir())) ?? attempt(homedir) ?? "/",
        ...defined({ mode, workspace, rules, afterUntrustedText, border }),
      }),
    resolvePath: resolvePath ?? resolveCommandPath,
    artifacts: artifacts ?? createMemoryArtifacts(),
  });
}

const NUMBER = "a number of at least 0";

const KINDS = {
  tools: "a list",
  mode: "a text",
  currentMode: "a function",
  workspace: "a list of texts",
  policy: "an object with a function judge",
  approver: "an object with a function ask",
  approvalTimeoutMs: NUMBER,
  grants: "an object with a function find",
  untrustedTexts: "an object",
  resolvePath: "a function",
  hooks: "a list",
  around: "a list",
  context: "a list",
  executors: "a list",
  journal: "an object with a function receive",
  artifacts: "an object with a function create",
  timeoutMs: NUMBER,
  idleTimeoutMs: NUMBER,
  retry: "an object",
  concurrency: NUMBER,
  maxRunning: NUMBER,
  sessionIdleMs: NUMBER,
  cuts: "an object",
  secrets: "a list of texts",
  secretPatterns: "an object",
  masker: "an object",
  modelText: ["plain", "envelope"],
  log: "a function",
  rules: "a list",
  afterUntrustedText: AFTER_UNTRUSTED_TEXT,
  border: BORDERS,
} as const satisfies OptionKinds<HostOptions>;

/** Returns the checked options as properties of their own: a mode that a class or a prototype has would else be lost, and decide nothing. */
function readHostOptions(given: HostOptions): HostOptions {
  checkOptions("createEngine", given, KINDS);
  const names = Object.keys(KINDS) as readonly (keyof HostOptions)[];
  const options = Object.fromEntries(
    names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  ) as HostOptions;
  checkHostOptions(options);
  return options;
}

/** Throws `INVALID_INPUT` for values that TypeScript would reject: they would silently turn off a limit, a hook or a mask. */
function checkHostOptions(options: HostOptions): void {
  checkOptions("createEngine", options, KINDS);
  const { retry = {}, secretPatterns = {}, hooks = [], tools = [] } = options;
  checkItems("tools", tools);
  checkItems("hooks", hooks);
  checkOptions("createEngine: retry", retry, { attempts: NUMBER, firstWaitMs: NUMBER, factor: NUMBER });
  const patterns = Object.values<unknown>(secretPatterns);
  if (!patterns.every((one) => typeof one === "string"))
    throw new ToolError("INVALID_INPUT", "createEngine: secretPatterns: expected an object of texts");
  for (const { name, on } of hooks) {
    checkOptions(
      "createEngine",
      { [`on of hook "${name}"`]: on ?? null },
      { [`on of hook "${name}"`]: "a list" },
    );
    const unknown = on.find((point) => !HOOK_POINTS.includes(point));
    if (unknown === undefined) continue;
    const otherwise = `use ${HOOK_POINTS.join(", ")}`;
    throw unknownName(`hook "${name}": unknown point "${unknown}"`, unknown, HOOK_POINTS, otherwise);
  }
}

/** Throws `INVALID_INPUT` for a list with an item that is missing. */
function checkItems(name: string, items: readonly unknown[]): void {
  const index = items.findIndex((item) => item === undefined || item === null);
  if (index === -1) return;
  throw new ToolError("INVALID_INPUT", `createEngine: ${name}: item ${index} is ${String(items[index])}`, {
    hint: "of two modules that import each other, one sees what the other exports as undefined",
  });
}
