import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import type { Json } from "../../core/json.ts";
import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import { within } from "./instance.ts";
import { errorMessage } from "../../util/text/error-message.ts";

const POINTS: readonly HookPoint[] = [
  "before_tool",
  "after_tool",
  "tool_error",
  "session_start",
  "session_end",
  "file_changed",
];
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_CALLS = 1000;

export interface ForwardOptions {
  /** The hooks as they are now. */
  readonly hooks: () => readonly Hook[];
  /** True where one of them is asked at the point. */
  readonly listensAt: (point: HookPoint) => boolean;
  /** Undefined once there is nothing to wait for. */
  readonly ready: () => Promise<void> | undefined;
}

/**
 * One hook for all that come and go: it asks those that are there at the moment, in their order. The first that refuses or
 * rewrites decides; of those that want a person asked, the first; notes are put together. It has to be the engine's first hook,
 * since it knows its own rewrites by what they became when it is asked again.
 */
export function createForwardHook({ hooks, listensAt, ready }: ForwardOptions): Hook {
  const rewrites = createRewrites();
  const wanted = (moment: HookMoment): readonly Hook[] =>
    hooks().filter((hook) => hook.on.includes(moment.point));
  return {
    name: "extensions",
    on: POINTS,
    // Each of the hooks behind it has a limit of its own.
    timeoutMs: LONGEST_TIMER_MS,
    listensAt: (point) => ready() !== undefined || listensAt(point),
    run(moment, signal) {
      const waiting = ready();
      const asked = (): HookDecision | undefined | Promise<HookDecision | undefined> =>
        wanted(moment).length === 0 ? undefined : askAll(wanted(moment), moment, { rewrites, signal });
      return waiting === undefined ? asked() : waiting.then(asked);
    },
  };
}

interface Asking {
  readonly rewrites: Rewrites;
  readonly signal: AbortSignal;
}

async function askAll(
  hooks: readonly Hook[],
  moment: HookMoment,
  { rewrites, signal }: Asking,
): Promise<HookDecision | undefined> {
  const before = rewrites.resume(moment);
  const notes: string[] = [];
  let asks: HookDecision | undefined;
  for (const hook of hooks) {
    const said = await ask(hook, moment, signal);
    if (said?.kind === "refuse") return said;
    if (said?.kind === "ask") asks ??= said;
    if (said?.kind === "note") notes.push(said.text);
    if (said?.kind === "rewrite" && !before.isInPlace(said.input)) {
      rewrites.keep(moment, said.input);
      return said;
    }
  }
  return asks ?? (notes.length > 0 ? { kind: "note", text: notes.join("\n") } : undefined);
}

/** What one hook says, named in its reasons; where it cannot say, what its `onFailure` means. Rejects only when it is stopped. */
async function ask(hook: Hook, moment: HookMoment, signal: AbortSignal): Promise<HookDecision | undefined> {
  const { name, timeoutMs = DEFAULT_TIMEOUT_MS } = hook;
  const onFailure = hook.onFailure ?? (moment.point === "before_tool" ? "refuse" : "pass");
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  try {
    if (hook.matches !== undefined && !hook.matches(moment)) return undefined;
    return named(name, await within(timeoutMs, Promise.resolve(hook.run(moment, stop))));
  } catch (error) {
    ending.abort(error);
    signal.throwIfAborted();
    if (onFailure === "pass") return undefined;
    const message = errorMessage(error);
    return { kind: "refuse", reason: `${name}: it could not decide: ${message}` };
  }
}

/** Throws on an answer that is none: a hook may be plain JavaScript. */
function named(name: string, said: HookDecision | null | undefined): HookDecision | undefined {
  if (said === undefined) return undefined;
  switch (said?.kind) {
    case "pass":
      return undefined;
    case "refuse":
    case "ask":
      return { kind: said.kind, reason: `${name}: ${said.reason}` };
    case "note":
      return { kind: "note", text: `${name}: ${said.text}` };
    case "rewrite":
      return said;
    default:
      throw new TypeError("it answered something that is no decision");
  }
}

/** The inputs that hooks put in place, by call: an input is coerced on its way back, so it comes as another one. */
interface Rewrites {
  /** Begins a round over the hooks. */
  resume(moment: HookMoment): { isInPlace(input: Json): boolean };
  keep(moment: HookMoment, input: Json): void;
}

function createRewrites(): Rewrites {
  /** What was written, and what became of it. */
  const kept = new Map<string, { readonly written: string; became?: string }>();
  return {
    resume(moment) {
      const current = textOf(moment.call?.input ?? null);
      const last = kept.get(keyOf(moment));
      // Nobody is asked in between: the first input after a rewrite is what became of it.
      if (last !== undefined) last.became ??= current;
      return {
        isInPlace(input) {
          const text = textOf(input);
          return text === current || (last?.became === current && last.written === text);
        },
      };
    },
    keep(moment, input) {
      const key = keyOf(moment);
      kept.delete(key);
      kept.set(key, { written: textOf(input) });
      const [oldest] = kept.keys();
      if (kept.size > MAX_CALLS && oldest !== undefined) kept.delete(oldest);
    },
  };
}

/** Ids are the caller's: two sessions may well have the same. */
function keyOf({ session, call }: HookMoment): string {
  return JSON.stringify([session, call?.id, call?.name]);
}

/** The same for the same value, in whatever order its fields were written. */
function textOf(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
