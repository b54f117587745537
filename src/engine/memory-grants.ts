import type { Grant, Grants } from "../core/grant.ts";

/** Creates grants that last as long as the engine; a grant for a session is listed for that session only. */
export function createMemoryGrants(): Grants {
  const stored = new Map<string, { readonly grant: Grant; readonly session: string | undefined }>();
  return {
    list: (session) =>
      Promise.resolve(
        [...stored.values()]
          .filter(({ grant, session: own }) => grant.scope === "always" || own === session)
          .map(({ grant }) => grant),
      ),
    async add(grant, session) {
      stored.set(grant.id, { grant, session });
    },
    revoke: (id) => Promise.resolve(stored.delete(id)),
  };
}
