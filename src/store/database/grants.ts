import type { Collections } from "../../core/store/collection.ts";
import type { Grant, Grants } from "../../core/grant.ts";
import { isObject, type Json } from "../../core/json.ts";

/** Grants for a session expire after this time, however long the session lives. */
const SESSION_MS = 12 * 60 * 60 * 1000;

/** The largest number of stored grants; beyond it the oldest are removed. */
const LIMIT = 10_000;

/** Creates grants that outlive the process. A grant with the scope `always` holds in one workspace only. */
export function createStoredGrants(
  collections: Collections,
  workspace: string,
  now: () => number = Date.now,
): Grants {
  const stored = collections.open("grants", { limit: LIMIT });
  const always = `always/${encodeURIComponent(workspace)}/`;
  const sessionPrefix = (session = ""): string => `session/${encodeURIComponent(session)}/`;
  const read = async (prefix: string): Promise<readonly Grant[]> =>
    (await stored.list({ prefix })).flatMap(({ value }) => toGrant(value));
  return {
    async list(session) {
      const [lasting, own] = await Promise.all([read(always), read(sessionPrefix(session))]);
      return [...lasting, ...own.filter(({ grantedAt }) => now() - grantedAt < SESSION_MS)];
    },
    add: (grant, session) =>
      stored.set(
        `${grant.scope === "always" ? always : sessionPrefix(session)}${grant.id}`,
        grant as unknown as Json,
      ),
    async revoke(id) {
      const found = (await stored.list()).filter(({ key }) => key.endsWith(`/${id}`));
      const deleted = await Promise.all(found.map(({ key }) => stored.delete(key)));
      return deleted.includes(true);
    },
  };
}

/** Returns no grant for an invalid document: the call then needs approval again. */
function toGrant(value: Json): readonly Grant[] {
  if (!isObject(value)) return [];
  const { id, scope, hash, tool, grantedAt } = value;
  const isGrant =
    (scope === "session" || scope === "always") &&
    [id, hash, tool].every((text) => typeof text === "string") &&
    typeof grantedAt === "number";
  return isGrant ? [value as unknown as Grant] : [];
}
