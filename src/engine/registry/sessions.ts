import type { Key } from "../../core/context.ts";
import type { SessionResource } from "../../core/session/session.ts";
import type { OpenSession, Sessions } from "../types/engine-parts.ts";
import type { Groups } from "../types/registry.ts";
import { createSessionGroups } from "./groups.ts";

/** The id of the session of calls that name none. */
export const OWN_SESSION = "";

/** Creates the sessions of an engine, each on first use. */
export function createSessions(
  groups: Groups,
  changed: (group: string | undefined, active: boolean, session: string) => void,
): Sessions {
  const sessions = new Map<string, OpenSession>();
  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close();
  };
  const open = (id: string, parent?: string): OpenSession => {
    const existing = sessions.get(id);
    if (existing !== undefined) return existing;
    const base = parent === undefined ? groups : open(parent).groups;
    const own = createSessionGroups(
      base,
      (group, active) => changed(group, active, id),
      parent !== undefined,
    );
    const session = { groups: own, ...createScope(id) };
    sessions.set(id, session);
    return session;
  };
  return { open, close, closeAll: async () => void (await Promise.all([...sessions.keys()].map(close))) };
}

function createScope(id: string): Pick<OpenSession, "scope" | "find" | "close"> {
  const values = new Map<string, SessionResource<unknown>>();
  return {
    scope: {
      id,
      getOrCreate<T>(key: Key<T>, create: () => SessionResource<T>): T {
        const known = values.get(key.name) ?? create();
        values.set(key.name, known);
        return known.value as T;
      },
    },
    find: <T>(key: Key<T>) => values.get(key.name)?.value as T | undefined,
    async close() {
      // Every value is closed even if closing another fails.
      await Promise.allSettled([...values.values()].map(async (one) => one.close?.()));
      values.clear();
    },
  };
}
