import type { HookMoment } from "../../core/hook.ts";
import { OWN_SESSION } from "../registry/sessions.ts";
import type { Hooks, SessionHooks } from "../types/hooks.ts";
import { runInOrder } from "./hooks.ts";

/** Creates session hooks that run once for each session id. */
export function createSessionHooks(hooks: Hooks): SessionHooks {
  const started = new Map<string, undefined | Promise<void>>();
  const run = (point: "session_start" | "session_end", id: string): undefined | Promise<void> => {
    const moment: HookMoment = { point, ...(id === OWN_SESSION ? {} : { session: id }) };
    const ran = runInOrder(
      hooks.at(point) ?? [],
      (hook) => hooks.run(hook, moment),
      () => undefined,
    );
    return ran instanceof Promise ? ran.then(() => undefined) : undefined;
  };
  const end = async (id: string): Promise<void> => {
    if (!started.has(id)) return;
    const starting = started.get(id);
    started.delete(id);
    await starting;
    await run("session_end", id);
  };
  return {
    start(id) {
      if (started.has(id)) return started.get(id);
      const starting = run("session_start", id);
      started.set(id, starting);
      // Later calls do not wait at all, not even a turn of the event loop.
      void starting?.then(() => started.get(id) === starting && started.set(id, undefined));
      return starting;
    },
    end,
    endAll: async () => void (await Promise.all([...started.keys()].map(end))),
  };
}
