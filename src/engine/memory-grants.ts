import type { Grant, GrantQuery, Grants } from "../core/grant.ts";

/** Creates grants that last as long as the engine, or as their session: those are listed for that session only. */
export function createMemoryGrants(): Grants {
  const always = createIndex();
  const sessions = new Map<string | undefined, Index>();
  return {
    find: async (query) => [...always.find(query), ...(sessions.get(query.session)?.find(query) ?? [])],
    list: async (session) => [...always.all(), ...(sessions.get(session)?.all() ?? [])],
    async add(grant, session) {
      const own = grant.scope === "always" ? always : (sessions.get(session) ?? createIndex());
      if (own !== always) sessions.set(session, own);
      own.add(grant);
    },
    revoke: async (id) => always.delete(id) || [...sessions.values()].some((grants) => grants.delete(id)),
    async endSession(session) {
      sessions.delete(session);
    },
  };
}

type Index = ReturnType<typeof createIndex>;

/** Creates grants under keys: the subject and the tool, and for a grant without a rule the hash of its call. */
function createIndex() {
  const byId = new Map<string, Grant>();
  const byKey = new Map<string, Set<Grant>>();
  return {
    all: () => byId.values(),
    find: ({ subject, tool, hash }: GrantQuery): readonly Grant[] =>
      [keyOf(subject, tool), keyOf(subject, tool, hash)].flatMap((key) => [...(byKey.get(key) ?? [])]),
    add(grant: Grant): void {
      const key = keyOfGrant(grant);
      byId.set(grant.id, grant);
      byKey.set(key, (byKey.get(key) ?? new Set<Grant>()).add(grant));
    },
    delete(id: string): boolean {
      const grant = byId.get(id);
      if (grant === undefined) return false;
      const key = keyOfGrant(grant);
      const sharing = byKey.get(key);
      sharing?.delete(grant);
      if (sharing?.size === 0) byKey.delete(key);
      return byId.delete(id);
    },
  };
}

function keyOfGrant({ subject, tool, hash, rule }: Grant): string {
  return rule === undefined ? keyOf(subject, tool, hash) : keyOf(subject, tool);
}

function keyOf(subject: string | undefined, tool: string, hash?: string): string {
  return JSON.stringify([subject, tool, hash]);
}
