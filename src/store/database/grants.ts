import type { DatabaseSync } from "node:sqlite";
import type { Collections } from "../../core/store/collection.ts";
import { GRANT_SCOPES, type Grant, type Grants } from "../../core/grant.ts";
import type { Json } from "../../core/json.ts";
import { attempt } from "../../util/async/attempt.ts";
import { counted } from "../../util/text/words.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";

/** Grants for a session end with it, and after this time at the latest. */
export const SESSION_MS = 12 * 60 * 60 * 1000;

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
  const isValid = ({ scope, grantedAt }: Grant): boolean =>
    scope === "always" || now() - grantedAt < SESSION_MS;
  // A grant under a key of an earlier version would be listed, but never found.
  const read = async (prefix: string): Promise<readonly Grant[]> =>
    (await stored.list({ prefix })).flatMap(({ key, value }) => {
      const grant = readGrant(value);
      return grant !== undefined && key.endsWith(keyOfGrant(grant)) ? [grant] : [];
    });
  const readAll = async (prefixes: readonly string[]): Promise<readonly Grant[]> =>
    (await Promise.all(prefixes.map(read))).flat().filter(isValid);
  return {
    find({ session, subject, tool, hash }) {
      const keys = [keyOf(subject, tool, RULE), keyOf(subject, tool, hash)];
      return readAll([always, sessionPrefix(session)].flatMap((scope) => keys.map((key) => scope + key)));
    },
    list: (session) => readAll([always, sessionPrefix(session)]),
    add(grant, session) {
      const prefix = grant.scope === "always" ? always : sessionPrefix(session);
      return stored.set(prefix + keyOfGrant(grant), grant as unknown as Json);
    },
    async revoke(id) {
      const documents = (await stored.list()).filter(({ key }) => key.endsWith(`/${id}`));
      const deleted = await Promise.all(documents.map(({ key }) => stored.delete(key)));
      return deleted.includes(true);
    },
    async endSession(session) {
      const ended = await stored.list({ prefix: sessionPrefix(session) });
      await Promise.all(ended.map(({ key }) => stored.delete(key)));
    },
  };
}

/** The keys of earlier versions, whose grants are never found: they name neither user nor folder, so they would allow more than was approved. */
const EARLIER = `collection = 'grants' AND key NOT GLOB '*/*/*/*/*/*'`;

/** Removes the grants of earlier versions and returns a sentence about them. Leaves them if the database is locked. */
export function removeEarlierGrants(database: DatabaseSync): string | undefined {
  const count = Number(
    database.prepare(`SELECT count(*) AS count FROM documents WHERE ${EARLIER}`).get()?.["count"],
  );
  if (
    count === 0 ||
    attempt(() => database.prepare(`DELETE FROM documents WHERE ${EARLIER}`).run()) === undefined
  )
    return undefined;
  return `${counted(count, "approval")} of an earlier version cannot be used and ${count === 1 ? "was" : "were"} removed: such calls need approval again`;
}

/** Stands for the hash in the key of a grant with a rule. */
const RULE = "rule";

/** Returns the part of a key by which the grants for a call are found. */
function keyOf(subject = "", tool: string, hash: string): string {
  return [subject, tool, hash].map((part) => `${encodeURIComponent(part)}/`).join("");
}

/** Returns the key of a grant below its scope. */
function keyOfGrant({ subject, tool, rule, hash, id }: Grant): string {
  return keyOf(subject, tool, rule === undefined ? hash : RULE) + id;
}

const SCOPE = { enum: [...GRANT_SCOPES] };

/** Returns no grant for an invalid document: the call then needs approval again. */
const readGrant = createDocumentReader<Grant>(
  withFields({ id: TEXT, scope: SCOPE, hash: TEXT, tool: TEXT, grantedAt: NUMBER }),
);
