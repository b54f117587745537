import { ToolError } from "../../core/errors.ts";
import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { isThenable } from "../../util/async/thenable.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toFault } from "../../util/json/fault.ts";

/** What came of asking a hook: what it decided, or why it could not. */
export type HookAnswer = HookDecision | { readonly kind: "failed"; readonly message: string };

/** Calls back when the hook need not go on, saying why; gives back the way to stop listening. */
export type OnStop = (stop: (why: string) => void) => () => void;

export interface AskOptions {
  readonly onStop: OnStop;
  /** Told what a hook has running that does not answer at once: a time-out answers before that has ended. */
  readonly onRunning: (running: Promise<unknown>) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const PASS: HookDecision = Object.freeze({ kind: "pass" });

/**
 * Asks a hook, and settles once: with its decision, when its time is over, or when it is stopped. Undefined where it does
 * not want to be asked. Never throws or rejects; a hook that answers at once is heard at once.
 */
export function askHook(
  hook: Hook,
  moment: HookMoment,
  { onStop, onRunning }: AskOptions,
): HookAnswer | undefined | Promise<HookAnswer> {
  try {
    if (hook.matches !== undefined && !hook.matches(moment)) return undefined;
    const ending = new AbortController();
    const said: unknown = hook.run(moment, ending.signal);
    if (!isThenable(said)) return read(said, moment.point);
    const running = Promise.resolve(said);
    onRunning(running);
    return inTime(running, { hook, moment, onStop, ending });
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

function inTime(said: Promise<unknown>, { hook, moment, onStop, ending }: Waiting): Promise<HookAnswer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  return new Promise((answer) => {
    const settle = (one: HookAnswer): void => {
      clearTimeout(timer);
      stopListening();
      answer(one);
    };
    const stop = (why: string): void => {
      ending.abort(new ToolError("CANCELLED", why));
      settle({ kind: "failed", message: why });
    };
    const seconds = Number((timeoutMs / 1000).toFixed(3));
    const timer = setTimeout(
      () => stop(`it did not answer within ${seconds} s`),
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
    const stopListening = onStop(stop);
    said.then(
      (value) => settle(read(value, moment.point)),
      (error: unknown) => settle(failed(error)),
    );
  });
}

/** What may be said at each point; elsewhere than around a call nobody acts on it. */
const MEANT: Readonly<Record<HookPoint, readonly HookDecision["kind"][]>> = {
  before_tool: ["pass", "refuse", "ask", "rewrite"],
  after_tool: ["pass", "refuse", "note"],
  tool_error: ["pass", "refuse", "note"],
  session_start: ["pass", "refuse", "ask", "rewrite", "note"],
  session_end: ["pass", "refuse", "ask", "rewrite", "note"],
  file_changed: ["pass", "refuse", "ask", "rewrite", "note"],
};

/** A hook may be anybody's code: what it says is looked at like any stranger's value. */
function read(said: unknown, point: HookPoint): HookAnswer {
  if (said === undefined) return PASS;
  const { kind, reason, input, text } = (typeof said === "object" && said !== null ? said : {}) as Readonly<
    Record<string, unknown>
  >;
  const known = MEANT[point].find((one) => one === kind);
  if (known === undefined) return nonsense(point, kind);
  if (known === "pass") return PASS;
  if (known === "rewrite") return rewrite(input);
  if (known === "note") return typeof text === "string" ? { kind: known, text } : missing(known, "text");
  return typeof reason === "string" ? { kind: known, reason } : missing(known, "reason");
}

/** A copy: what is judged stays what runs, whatever the hook does with it later. */
function rewrite(written: unknown): HookAnswer {
  try {
    const input = copyJson(written, "INVALID_INPUT");
    return isObject(input) ? { kind: "rewrite", input } : missing("rewrite", "input, an object");
  } catch (error) {
    return failed(error);
  }
}

function nonsense(point: HookPoint, kind: unknown): HookAnswer {
  const got = typeof kind === "string" ? JSON.stringify(kind) : "something else";
  return { kind: "failed", message: `it answered ${got}, expected ${MEANT[point].join(", ")} or nothing` };
}

function missing(kind: string, what: string): HookAnswer {
  return { kind: "failed", message: `it answered "${kind}" without its ${what}` };
}

function failed(error: unknown): HookAnswer {
  return { kind: "failed", message: toFault(error).message };
}
