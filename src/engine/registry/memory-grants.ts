import type { Grant, Grants } from "../../core/grant.ts";

/** Grants that last as long as the engine; what is for a session stays in it. */
export function createMemoryGrants(): Grants {
  const kept = new Map<string, { readonly grant: Grant; readonly session: string | undefined }>();
  return {
    list: (session) =>
      Promise.resolve(
        [...kept.values()]
          .filter(({ grant, session: own }) => grant.scope === "always" || own === session)
          .map(({ grant }) => grant),
      ),
    async add(grant, session) {
      kept.set(grant.id, { grant, session });
    },
    revoke: (id) => Promise.resolve(kept.delete(id)),
  };
}
