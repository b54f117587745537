import { randomBytes } from "node:crypto";
import { createInsist, openAnswers } from "./answers.ts";
import { connectFleet } from "./connect.ts";
import type { FleetAddress } from "./types/options.ts";
import { openDirectory } from "./directory.ts";
import { createEntrance } from "./limits.ts";
import { createChoice } from "./route.ts";
import { createSeals } from "./keys/seals.ts";
import { openStreams } from "./streams.ts";
import { openWaiting } from "./waiting.ts";

/** What an engine uses of a fleet. */
export type OpenFleet = Readonly<Awaited<ReturnType<typeof openFleet>>>;

export interface FleetOptions extends FleetAddress {
  /** How many calls may wait in each lane of a pool. */
  readonly queue?: number | undefined;
  /** The key of the fleet: its text, not its file. Without it an engine lists workers, and sends no calls. */
  readonly key?: string | undefined;
}

/** How long an engine tries to read an answer, or to cancel a call, while no server answers. */
const INSIST_MS = 15_000;

/** Connects an engine to a fleet. */
export async function openFleet(options: FleetOptions) {
  const engineId = randomBytes(8).toString("hex");
  const connection = await connectFleet(options, `toolwright engine ${engineId}`);
  try {
    const seals = createSeals(options.key, "engine", connection.names.namespace);
    const streams = await openStreams(connection, seals, options.queue);
    connection.onReconnect(() => void streams.identity.confirm());
    const directory = await openDirectory(streams);
    await connection.whenAllowed();
    const closing = new AbortController();
    const answers = openAnswers(streams, createInsist(connection, closing.signal, INSIST_MS));
    const waiting = openWaiting(streams, answers, engineId);
    return {
      ...streams,
      engineId,
      directory,
      choosePool: createChoice(directory),
      answers,
      waiting,
      enterLimit: createEntrance(streams.limits),
      async close(): Promise<void> {
        closing.abort();
        waiting.close();
        directory.close();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
