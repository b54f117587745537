import { randomBytes } from "node:crypto";
import { createInsist, openAnswers, type Answers } from "./answers.ts";
import { connectFleet, type FleetAddress, type FleetConnection } from "./connect.ts";
import { openDirectory, type Directory } from "./directory.ts";
import { createEntrance, type EnterLimit } from "./limits.ts";
import { createChoice, type ChoosePool } from "./route.ts";
import { openStreams, type FleetStreams } from "./streams.ts";
import { openWaiting, type Waiting } from "./waiting.ts";

/** What an engine uses of a fleet. */
export interface OpenFleet {
  readonly engineId: string;
  readonly connection: FleetConnection;
  readonly streams: FleetStreams;
  readonly directory: Directory;
  readonly choosePool: ChoosePool;
  readonly answers: Answers;
  readonly waiting: Waiting;
  readonly enterLimit: EnterLimit;
  close(): Promise<void>;
}

export interface FleetOptions extends FleetAddress {
  /** How many calls may wait in each lane of a pool. */
  readonly queue?: number | undefined;
}

/** How long an engine tries to read an answer, or to cancel a call, while no server answers. */
const INSIST_MS = 15_000;

/** Connects an engine to a fleet. */
export async function openFleet(options: FleetOptions): Promise<OpenFleet> {
  const engineId = randomBytes(8).toString("hex");
  const connection = await connectFleet(options, `toolwright engine ${engineId}`);
  try {
    const streams = await openStreams(connection, options.queue);
    const directory = await openDirectory(connection, streams);
    await connection.whenAllowed();
    const closing = new AbortController();
    const answers = openAnswers(connection, streams, createInsist(connection, closing.signal, INSIST_MS));
    const waiting = openWaiting(connection, streams, { answers, engineId });
    return {
      engineId,
      connection,
      streams,
      directory,
      choosePool: createChoice(directory),
      answers,
      waiting,
      enterLimit: createEntrance(streams.limits),
      async close() {
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
