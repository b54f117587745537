import { randomUUID } from "node:crypto";
import type { Collections } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { isObject } from "../../core/json.ts";
import type { ProcessIdentity } from "../../system/process/identity.ts";
import { currentProcess, isAlive } from "../../system/process/identity.ts";

/** How many owners are stored; old ones are of killed processes. */
const MAX_OWNERS = 1000;

/**
 * Locks a session for this process and returns the function that releases it. Takes over the lock of a process that has ended. Throws
 * if another living process has the session: both would answer the same calls without seeing each other's messages.
 */
export async function ownSession(collections: Collections, session: string): Promise<() => Promise<void>> {
  const owners = collections.open("session-owners", { limit: MAX_OWNERS });
  const own = { ...currentProcess(), token: randomUUID() };
  const owner = await owners.update(session, (there) => (isAnothers(there) ? there : own));
  if (!isOwner(owner) || owner.token !== own.token) throw taken(session, owner);
  return async () => {
    await owners.update(session, (there) =>
      isOwner(there) && there.token === own.token ? undefined : there,
    );
  };
}

type Owner = ProcessIdentity & { readonly token: string };

function isOwner(value: Json | undefined): value is Json & Owner {
  return isObject(value) && typeof value["pid"] === "number" && typeof value["token"] === "string";
}

/** A process may open a session again before it has closed it. */
function isAnothers(owner: Json | undefined): boolean {
  return isOwner(owner) && owner.pid !== process.pid && isAlive(owner);
}

function taken(session: string, owner: Json | undefined): ToolError {
  const where = isOwner(owner) ? ` (${owner.pid})` : "";
  return new ToolError("UNAVAILABLE", `the session ${session} is open in another process${where}`, {
    hint: `close it there, or continue a copy: toolwright sessions fork ${session}`,
    details: { session },
  });
}
