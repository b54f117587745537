import type { HookMoment } from "../../core/hook.ts";
import type { Hooks } from "./hooks.ts";
import { askInTurn } from "./hooks.ts";
import { OWN_SESSION } from "../registry/session.ts";

/** Asks the hooks at the two ends of a session. What they decide counts for nothing. */
export interface SessionHooks {
  /** Once a session, before its first call; calls that come meanwhile wait for the same. */
  start(id: string): undefined | Promise<void>;
  /** Nothing for a session that was never started. */
  end(id: string): Promise<void>;
  endAll(): Promise<void>;
}

/** Remembers which sessions have been started, by their names. */
export function createSessionHooks(hooks: Hooks): SessionHooks {
  const started = new Map<string, undefined | Promise<void>>();
  const tell = (point: "session_start" | "session_end", id: string): undefined | Promise<void> => {
    const moment: HookMoment = { point, ...(id === OWN_SESSION ? {} : { session: id }) };
    const told = askInTurn(
      hooks.at(point) ?? [],
      (hook) => hooks.ask(hook, moment),
      () => undefined,
    );
    return told instanceof Promise ? told.then(() => undefined) : undefined;
  };
  const end = async (id: string): Promise<void> => {
    if (!started.has(id)) return;
    const starting = started.get(id);
    started.delete(id);
    await starting;
    await tell("session_end", id);
  };
  return {
    start(id) {
      if (started.has(id)) return started.get(id);
      const starting = tell("session_start", id);
      started.set(id, starting);
      // From then on no call has to wait, not even a turn.
      void starting?.then(() => started.get(id) === starting && started.set(id, undefined));
      return starting;
    },
    end,
    endAll: async () => void (await Promise.all([...started.keys()].map(end))),
  };
}
