import { randomUUID } from "node:crypto";
import type { Collections } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import { createDocumentReader, NUMBER, TEXT, withFields } from "../../schema/document-reader.ts";
import {
  currentProcess,
  isAlive,
  isSameProcess,
  type ProcessIdentity,
} from "../../system/process/identity.ts";

/** How many owners are stored; old ones are of killed processes. */
const MAX_OWNERS = 1000;

/**
 * Locks a session for this process and returns the function that releases it. Takes over the lock of a process that has ended. Throws
 * if another living process has the session: both would answer the same calls without seeing each other's messages.
 */
export async function ownSession(collections: Collections, session: string): Promise<() => Promise<void>> {
  const owners = collections.open("session-owners", { limit: MAX_OWNERS });
  const own = { ...currentProcess(), token: randomUUID() };
  const isOfOther = async (owner: Owner | undefined): Promise<boolean> =>
    // A process may open a session again before it has closed it.
    owner !== undefined && !isSameProcess(owner, own) && (await (owners.isAlive?.(owner) ?? isAlive(owner)));
  for (;;) {
    const before = readOwner(await owners.get(session));
    if (await isOfOther(before)) throw taken(session, before);
    // Another process may have taken it in the meantime.
    const now = await owners.update(session, (there) =>
      readOwner(there)?.token === before?.token ? own : there,
    );
    if (readOwner(now)?.token === own.token) break;
  }
  return async () => {
    await owners.update(session, (there) => (readOwner(there)?.token === own.token ? undefined : there));
  };
}

type Owner = ProcessIdentity & { readonly token: string };

const readOwner = createDocumentReader<Owner>(withFields({ pid: NUMBER, token: TEXT }));

function taken(session: string, owner: Owner | undefined): ToolError {
  const where = owner === undefined ? "" : ` (${owner.pid})`;
  return new ToolError("UNAVAILABLE", `the session ${session} is open in another process${where}`, {
    hint: `close it there, or continue a copy: toolwright sessions fork ${session}`,
    details: { session },
  });
}
