import { ToolError } from "../../core/errors.ts";
import { HOOK_POINTS } from "../../core/hook.ts";
import { unknownName } from "../../util/text/near-hint.ts";
import type { EngineOptions } from "../../engine/types/options.ts";

/** Throws `INVALID_INPUT` for values that TypeScript would reject: they would silently turn off a limit, a hook or a mask. */
export function checkOptions(options: EngineOptions): void {
  const { approver, hooks, secrets, workspace, tools, around, context, executors, retry } = options;
  const { timeoutMs, idleTimeoutMs, approvalTimeoutMs, sessionIdleMs, concurrency, maxRunning } = options;
  const numbers = { timeoutMs, idleTimeoutMs, approvalTimeoutMs, sessionIdleMs, concurrency, maxRunning };
  expect({ ...numbers, ...retry }, "a number of at least 0", (one) => typeof one === "number" && one >= 0);
  expect({ tools, hooks, around, context, executors }, "a list", Array.isArray);
  expect({ secrets, workspace }, "a list of texts", isTexts);
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
