import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { COLUMNS, readAll } from "./call-table.ts";
import { createToken, readToken } from "./journal-entry.ts";
import { createPendingCall, type PendingCall } from "./pending-call.ts";
import type { CallKey, SpooledCall, SpooledRow } from "./spool.ts";

interface Claimed {
  readonly call: PendingCall;
  readonly details: JsonObject;
  /** False if it was claimed before. */
  readonly isNew: boolean;
}

interface SuspendedCallsOptions {
  readonly database: DatabaseSync;
  /** Runs the work in one transaction. */
  readonly write: <T>(work: () => T) => Promise<T>;
  /** Returns the calls in the spools of all owners. */
  readonly spooled: () => readonly SpooledRow[];
}

/** Creates the part of a journal that lets calls wait for a decision without an owner. Both writes are in the database when they resolve. */
export function createSuspendedCalls({ database, write, spooled }: SuspendedCallsOptions) {
  const suspend = database.prepare(
    "UPDATE calls SET owner = 0, number = NULL, suspended = ? WHERE id = ? AND state = 'open'",
  );
  const find = database.prepare(
    `SELECT owner, number, json_extract(suspended, '$.details') AS details FROM calls
     WHERE id = ? AND json_extract(suspended, '$.secret') = ?`,
  );
  const claim = database.prepare("UPDATE calls SET owner = ?, number = ? WHERE id = ? AND owner = 0");
  const byId = database.prepare(`SELECT ${COLUMNS} FROM calls WHERE id = ?`);
  return {
    /** Suspends a call whose row is in the database; returns its token. */
    async suspend(call: PendingCall, details: JsonObject): Promise<string> {
      const { id } = call;
      const secret = randomUUID();
      const text = JSON.stringify({ secret, details });
      const isSuspended = id !== undefined && (await write(() => suspend.run(text, id).changes === 1));
      if (!isSuspended)
        throw new ToolError("UNAVAILABLE", `the journal cannot store call ${call.current.callId}`);
      call.current = { ...call.current, state: "pending" };
      return createToken(id, secret);
    },
    /** Gives a suspended call to a new owner, once. Returns undefined for an unknown token. */
    async claim(token: string, key: CallKey, place: SpooledCall | undefined): Promise<Claimed | undefined> {
      const { row: id, secret } = readToken(token) ?? {};
      if (id === undefined || secret === undefined) return undefined;
      // Read first, as for a list: the answer to a call that was claimed before may be there and not in the database.
      const rows = spooled();
      const [known, isNew, stored] = await write(() => {
        const row = find.get(id, secret);
        const isClaimed = row !== undefined && claim.run(key.owner, key.number, id).changes === 1;
        return [row, isClaimed, readAll(byId, id)[0]?.row] as const;
      });
      if (known === undefined || stored === undefined) return undefined;
      const later = rows.find(({ owner, number }) => owner === known["owner"] && number === known["number"]);
      const row = stored.answer === null ? (later?.row ?? stored) : stored;
      const call = createPendingCall(key.number, row, place);
      call.id = id;
      return { call, details: JSON.parse(String(known["details"])) as JsonObject, isNew };
    },
  };
}
