import type { Collections } from "../../core/store/collection.ts";
import type { Grant, Grants } from "../../core/grant.ts";
import type { Json } from "../../core/json.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";

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
    (await stored.list({ prefix })).flatMap(({ value }) => readGrant(value) ?? []);
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

const SCOPE = { enum: ["session", "always"] };

/** Returns no grant for an invalid document: the call then needs approval again. */
const readGrant = createDocumentReader<Grant>(
  withFields({ id: TEXT, scope: SCOPE, hash: TEXT, tool: TEXT, grantedAt: NUMBER }),
);
