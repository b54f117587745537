import { randomUUID } from "node:crypto";
import type { Collections } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";
import { currentProcess, isAlive, type ProcessIdentity } from "../../system/process/identity.ts";

/** How many owners are stored; old ones are of killed processes. */
const MAX_OWNERS = 1000;

/**
 * Locks a session for this process and returns the function that releases it. Takes over the lock of a process that has ended. Throws
 * if another living process has the session: both would answer the same calls without seeing each other's messages.
 */
export async function ownSession(collections: Collections, session: string): Promise<() => Promise<void>> {
  const owners = collections.open("session-owners", { limit: MAX_OWNERS });
  const own = { ...currentProcess(), token: randomUUID() };
  const owner = await owners.update(session, (there) => (isOfOtherProcess(readOwner(there)) ? there : own));
  if (readOwner(owner)?.token !== own.token) throw taken(session, readOwner(owner));
  return async () => {
    await owners.update(session, (there) => (readOwner(there)?.token === own.token ? undefined : there));
  };
}

type Owner = ProcessIdentity & { readonly token: string };

const readOwner = createDocumentReader<Owner>(withFields({ pid: NUMBER, token: TEXT }));

/** A process may open a session again before it has closed it. */
function isOfOtherProcess(owner: Owner | undefined): boolean {
  return owner !== undefined && owner.pid !== process.pid && isAlive(owner);
}

function taken(session: string, owner: Owner | undefined): ToolError {
  const where = owner === undefined ? "" : ` (${owner.pid})`;
  return new ToolError("UNAVAILABLE", `the session ${session} is open in another process${where}`, {
    hint: `close it there, or continue a copy: toolwright sessions fork ${session}`,
    details: { session },
  });
}
