import type { Collections } from "../../core/store/collection.ts";
import type { Grant, Grants } from "../../core/grant.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";

/** A session can outlive a day's work: what was granted for its length is asked again after half a day. */
const SESSION_MS = 12 * 60 * 60 * 1000;

/** Past so many, those that were granted first are asked about again. */
const LIMIT = 10_000;

/** Grants that outlive the process. What is granted for always holds in one workspace only. */
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
      const gone = await Promise.all(found.map(({ key }) => stored.delete(key)));
      return gone.includes(true);
    },
  };
}

/** None where what is stored is not a grant: then the call is asked about again. */
function toGrant(value: Json): readonly Grant[] {
  if (!isObject(value)) return [];
  const { id, scope, hash, tool, grantedAt } = value;
  const isGrant =
    (scope === "session" || scope === "always") &&
    [id, hash, tool].every((text) => typeof text === "string") &&
    typeof grantedAt === "number";
  return isGrant ? [value as unknown as Grant] : [];
}
