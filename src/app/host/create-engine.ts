import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { isObject } from "../../core/json.ts";
import { HOOK_POINTS } from "../../core/hook.ts";
import { AFTER_UNTRUSTED_TEXT, BORDERS, type AfterUntrustedText, type Border } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { AnyTool } from "../../core/tool.ts";
import type { EngineWith } from "../../engine/types/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createEngine as createBareEngine } from "../../engine/engine.ts";
import { createMemoryArtifacts } from "../../store/in-memory.ts";
import { parsePolicyFile } from "../../policy/rules/parse-policy.ts";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import { createDefaultPolicy, resolveCommandPath } from "./policy.ts";

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
  const { rules, afterUntrustedText, border, ...options } = hostOptions;
  const { mode, policy, artifacts, resolvePath } = options;
  checkOptions(options);
  expect({ afterUntrustedText }, `one of ${AFTER_UNTRUSTED_TEXT.join(", ")}`, (one) =>
    (AFTER_UNTRUSTED_TEXT as readonly unknown[]).includes(one),
  );
  expect({ border }, `one of ${BORDERS.join(", ")}`, (one) => (BORDERS as readonly unknown[]).includes(one));
  const workspace = options.workspace?.map(
    (folder) => attempt(() => realpathSync(folder)) ?? resolve(folder),
  );
  if (rules !== undefined) parsePolicyFile({ rules }, "createEngine");
  return createBareEngine({
    ...options,
    policy:
      policy ??
      createDefaultPolicy({
        home: homedir(),
        ...defined({ mode, workspace, rules, afterUntrustedText, border }),
      }),
    resolvePath: resolvePath ?? resolveCommandPath,
    artifacts: artifacts ?? createMemoryArtifacts(),
  });
}

/** Throws `INVALID_INPUT` for values that TypeScript would reject: they would silently turn off a limit, a hook or a mask. */
function checkOptions(options: EngineOptions): void {
  const {
    policy,
    currentMode,
    approver,
    hooks,
    secrets,
    secretPatterns,
    workspace,
    tools,
    around,
    context,
    executors,
    retry,
  } = options;
  const { timeoutMs, idleTimeoutMs, approvalTimeoutMs, sessionIdleMs, concurrency, maxRunning } = options;
  const numbers = { timeoutMs, idleTimeoutMs, approvalTimeoutMs, sessionIdleMs, concurrency, maxRunning };
  expect({ ...numbers, ...retry }, "a number of at least 0", (one) => typeof one === "number" && one >= 0);
  expect({ tools, hooks, around, context, executors }, "a list", Array.isArray);
  expect({ secrets, workspace }, "a list of texts", isTexts);
  expect({ secretPatterns }, "an object of texts", (one) => isObject(one) && isTexts(Object.values(one)));
  expect({ currentMode }, "a function", (one) => typeof one === "function");
  expect({ policy }, "an object with a function judge", () => typeof policy?.judge === "function");
  expect({ approver }, "an object with a function ask", () => typeof approver?.ask === "function");
  for (const { name, on } of hooks ?? []) {
    expect({ [`on of hook "${name}"`]: on ?? null }, "a list", Array.isArray);
    const unknown = on.find((point) => !HOOK_POINTS.includes(point));
    if (unknown === undefined) continue;
    const otherwise = `use ${HOOK_POINTS.join(", ")}`;
    throw unknownName(`hook "${name}": unknown point "${unknown}"`, unknown, HOOK_POINTS, otherwise);
  }
}

type IsValid = (value: unknown) => boolean;

/** The error names only the type of the value, which may be a secret. */
function expect(values: Readonly<Record<string, unknown>>, expected: string, isValid: IsValid): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || isValid(value)) continue;
    const got = typeof value === "number" || value === null ? value : typeof value;
    throw new ToolError("INVALID_INPUT", `createEngine: ${name}: expected ${expected}, got ${got}`);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
