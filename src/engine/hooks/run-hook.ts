import { ToolError } from "../../core/errors.ts";
import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toFault } from "../../util/json/fault.ts";
import type { HookResult, OnStop } from "../types/hooks.ts";

interface RunHookOptions {
  readonly onStop: OnStop;
  /** Receives the promise of a hook that does not answer at once; on a timeout it is still pending after the answer. */
  readonly onRunning: (running: Promise<unknown>) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const PASS: HookDecision = Object.freeze({ kind: "pass" });

/**
 * Runs a hook and settles once: with its decision, on its timeout or when it is stopped. Returns undefined if the hook does
 * not match. Never throws or rejects; the result of a synchronous hook is returned synchronously.
 */
export function runHook(
  hook: Hook,
  moment: HookMoment,
  { onStop, onRunning }: RunHookOptions,
): HookResult | undefined | Promise<HookResult> {
  try {
    if (hook.matches !== undefined && !hook.matches(moment)) return undefined;
    const ending = new AbortController();
    const returned: unknown = hook.run(moment, ending.signal);
    if (!isThenable(returned)) return parse(returned, moment.point);
    const running = Promise.resolve(returned);
    onRunning(running);
    return withTimeout(running, { hook, moment, onStop, ending });
  } catch (error) {
    return failed(error);
  }
}

interface Waiting {
  readonly hook: Hook;
  readonly moment: HookMoment;
  readonly onStop: OnStop;
  readonly ending: AbortController;
}

function withTimeout(
  running: Promise<unknown>,
  { hook, moment, onStop, ending }: Waiting,
): Promise<HookResult> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  return new Promise((resolve) => {
    const settle = (result: HookResult): void => {
      clearTimeout(timer);
      stopListening();
      resolve(result);
    };
    const stop = (reason: string): void => {
      ending.abort(new ToolError("CANCELLED", reason));
      settle({ kind: "failed", message: reason });
    };
    const seconds = Number((timeoutMs / 1000).toFixed(3));
    const timer = setTimeout(
      () => stop(`it did not answer within ${seconds} s`),
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    const stopListening = onStop(stop);
    running.then(
      (value) => settle(parse(value, moment.point)),
      (error: unknown) => settle(failed(error)),
    );
  });
}

/** The decisions a hook may return at each point. Only those around a call have an effect. */
const ALLOWED: Readonly<Record<HookPoint, readonly HookDecision["kind"][]>> = {
  before_tool: ["pass", "refuse", "ask", "rewrite"],
  after_tool: ["pass", "refuse", "note"],
  tool_error: ["pass", "refuse", "note"],
  session_start: ["pass", "refuse", "ask", "rewrite", "note"],
  session_end: ["pass", "refuse", "ask", "rewrite", "note"],
  file_changed: ["pass", "refuse", "ask", "rewrite", "note"],
};

/** Validates what a hook returned, as any value from untrusted code. */
function parse(returned: unknown, point: HookPoint): HookResult {
  if (returned === undefined) return PASS;
  const { kind, reason, input, text } = (
    typeof returned === "object" && returned !== null ? returned : {}
  ) as Readonly<Record<string, unknown>>;
  const known = ALLOWED[point].find((one) => one === kind);
  if (known === undefined) return invalidKind(point, kind);
  if (known === "pass") return PASS;
  if (known === "rewrite") return rewrite(input);
  if (known === "note") return typeof text === "string" ? { kind: known, text } : missing(known, "text");
  return typeof reason === "string" ? { kind: known, reason } : missing(known, "reason");
}

/** Copies the new input, so that the hook cannot change it after it was judged. */
function rewrite(returned: unknown): HookResult {
  try {
    const input = copyJson(returned, "INVALID_INPUT");
    return isObject(input) ? { kind: "rewrite", input } : missing("rewrite", "input, an object");
  } catch (error) {
    return failed(error);
  }
}

function invalidKind(point: HookPoint, kind: unknown): HookResult {
  const got = typeof kind === "string" ? JSON.stringify(kind) : "an invalid value";
  return { kind: "failed", message: `it returned ${got}; expected ${ALLOWED[point].join(", ")} or nothing` };
}

function missing(kind: string, what: string): HookResult {
  return { kind: "failed", message: `it returned "${kind}" without ${what}` };
}

function failed(error: unknown): HookResult {
  return { kind: "failed", message: toFault(error).message };
}
