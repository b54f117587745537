import type { Engine } from "../../../engine/types/engine.ts";

/** The sessions that each caller has used. */
const used = new WeakMap<AbortSignal, Set<string>>();

/** Closes a session that a caller uses, with its terminals and background processes, when the caller no longer counts. */
export function endSessionWith(
  ended: AbortSignal | undefined,
  engine: Pick<Engine, "session">,
  session: string,
): void {
  if (ended === undefined) return;
  const sessions = used.get(ended) ?? new Set<string>();
  if (!used.has(ended)) {
    used.set(ended, sessions);
    const closeAll = (): void => {
      // When the server ends, the engine closes them too.
      for (const id of sessions)
        engine
          .session(id)
          .close()
          .catch(() => undefined);
    };
    ended.addEventListener("abort", closeAll, { once: true });
  }
  sessions.add(session);
}
