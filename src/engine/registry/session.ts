import type { Key } from "../../core/context.ts";
import type { Kept, SessionScope } from "../../core/session/session.ts";
import type { Groups } from "../types/registry.ts";
import { createSessionGroups } from "./groups.ts";

/** What belongs to one conversation: its group switches, and what lives as long as it. */
export interface OpenSession {
  readonly groups: Groups;
  readonly scope: SessionScope;
  close(): Promise<void>;
}

/** The engine's sessions; one is made when first asked for. */
export interface Sessions {
  /** A session with a parent never has a tool that its parent lacks. */
  open(id: string, parent?: string): OpenSession;
  close(id: string): Promise<void>;
  closeAll(): Promise<void>;
}

/** The session of calls that name none. */
export const OWN_SESSION = "";

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
  return {
    open,
    close,
    closeAll: async () => void (await Promise.all([...sessions.keys()].map(close))),
  };
}

function createScope(id: string): Pick<OpenSession, "scope" | "close"> {
  const kept = new Map<string, Kept<unknown>>();
  return {
    scope: {
      id,
      keep<T>(key: Key<T>, create: () => Kept<T>): T {
        const known = kept.get(key.name) ?? create();
        kept.set(key.name, known);
        return known.value as T;
      },
    },
    async close() {
      // Each is closed whatever becomes of the others.
      await Promise.allSettled([...kept.values()].map(async (one) => one.close?.()));
      kept.clear();
    },
  };
}
