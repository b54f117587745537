import type { Hook, HookDecision, HookMoment, HookPoint } from "../../core/hook.ts";
import type { HookAnswer, OnStop } from "./ask-hook.ts";
import { askHook } from "./ask-hook.ts";
import type { Listeners } from "../events/listeners.ts";
import type { Masker } from "../../util/text/mask.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";

/** What is needed to tell an event with nothing secret in it. */
export interface Telling extends Pick<Listeners, "send" | "hears"> {
  readonly masker: Masker;
}

/** The engine's hooks. */
export interface Hooks {
  /** Those that listen at a point now, in order; undefined where there is none: then nothing need be made for them. */
  at(point: HookPoint): readonly Hook[] | undefined;
  /** Asks one and tells what came of it. Never rejects; undefined where it does not want to be asked. */
  ask(
    hook: Hook,
    moment: HookMoment,
    onStop?: OnStop,
  ): HookAnswer | undefined | Promise<HookAnswer | undefined>;
  /** Stops every hook that still runs, and waits a little for those that take their time to end. */
  close(): Promise<void>;
}

/** How long a hook that was stopped may take to end what it has started. */
const ENDING_MS = 2000;

/** Groups the hooks by their points; undefined where there are none at all. */
export function createHooks(hooks: readonly Hook[], { send, hears, masker }: Telling): Hooks | undefined {
  if (hooks.length === 0) return undefined;
  const byPoint = new Map<HookPoint, readonly Hook[]>();
  for (const hook of hooks) {
    for (const point of new Set(hook.on)) byPoint.set(point, [...(byPoint.get(point) ?? []), hook]);
  }
  const stops = new Set<(why: string) => void>();
  const running = new Set<Promise<unknown>>();
  const told = (hook: Hook, moment: HookMoment, answer: HookAnswer): HookAnswer => {
    const about = { hook: hook.name, point: moment.point, ...callOf(moment) };
    if (answer.kind === "failed") {
      send({ type: "hook.failed", ...about, message: masker.text(answer.message) });
    } else if (hears("hook.decided")) {
      const reason = reasonOf(answer);
      const why = reason === undefined ? {} : { reason: masker.text(reason) };
      send({ type: "hook.decided", ...about, decision: answer.kind, ...why });
    }
    return answer;
  };
  return {
    at(point) {
      const listening = byPoint.get(point)?.filter((hook) => isListening(hook, point));
      return listening?.length === 0 ? undefined : listening;
    },
    ask(hook, moment, onStop = neverStopped) {
      const answer = askHook(hook, moment, {
        onStop: (stop) => {
          stops.add(stop);
          const stopListening = onStop(stop);
          return () => {
            stops.delete(stop);
            stopListening();
          };
        },
        onRunning(said) {
          const ended = said.then(forget, forget);
          running.add(ended);
          function forget(): void {
            running.delete(ended);
          }
        },
      });
      if (answer instanceof Promise) return answer.then((later) => told(hook, moment, later));
      return answer === undefined ? undefined : told(hook, moment, answer);
    },
    async close() {
      for (const stop of stops) stop("the engine was closed");
      await withTimeout(Promise.allSettled(running), ENDING_MS, () => undefined);
    },
  };
}

/** Asks one after the other until `heed` gives something; waits for nothing as long as the hooks do not. */
export function askInTurn<T>(
  hooks: readonly Hook[],
  ask: (hook: Hook) => ReturnType<Hooks["ask"]>,
  heed: (hook: Hook, answer: HookAnswer) => T | undefined,
  from = 0,
): T | undefined | Promise<T | undefined> {
  for (const [at, hook] of hooks.entries()) {
    if (at < from) continue;
    const answer = ask(hook);
    if (answer instanceof Promise) {
      return answer.then((later) => {
        const heeded = later === undefined ? undefined : heed(hook, later);
        return heeded ?? askInTurn(hooks, ask, heed, at + 1);
      });
    }
    const heeded = answer === undefined ? undefined : heed(hook, answer);
    if (heeded !== undefined) return heeded;
  }
  return undefined;
}

/** One that cannot say is asked. */
function isListening(hook: Hook, point: HookPoint): boolean {
  try {
    return hook.listensAt?.(point) !== false;
  } catch {
    return true;
  }
}

function neverStopped(): () => void {
  return () => undefined;
}

function callOf({ call }: HookMoment): { readonly callId?: string } {
  return call === undefined ? {} : { callId: call.id };
}

function reasonOf(decision: HookDecision): string | undefined {
  if (decision.kind === "note") return decision.text;
  return decision.kind === "refuse" || decision.kind === "ask" ? decision.reason : undefined;
}
