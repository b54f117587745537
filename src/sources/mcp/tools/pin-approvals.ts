import type { HashedDefinition, PinChange } from "../types/source-types.ts";
import { pinChanges, type Pins } from "./pins.ts";

/** Returns the tools that differ from the pins, as a running process is offered them, else as the server lists them now. */
export async function reviewChanges(
  pins: Pins,
  list: () => Promise<readonly HashedDefinition[]>,
): Promise<readonly PinChange[]> {
  const waiting = await pins.pending();
  const listed = await list().catch((error: unknown) => {
    if (waiting.isRunning) return [];
    throw error;
  });
  return pinChanges((await pins.read()) ?? new Map(), asOffered(listed, waiting));
}

/** A server may add tools while it runs, or list some only for some clients: then a new connection does not list them. */
function asOffered(
  listed: readonly HashedDefinition[],
  { definitions, isRunning }: Awaited<ReturnType<Pins["pending"]>>,
): readonly HashedDefinition[] {
  if (!isRunning) return listed;
  const names = new Set(definitions.map(({ definition }) => definition.name));
  return [...listed.filter(({ definition }) => !names.has(definition.name)), ...definitions];
}

/** How soon a process notices an approval that was given in another. */
const APPROVAL_MS = 500;

/** Calls back when the pins have changed in the store. */
export function createApprovalWatch(pins: Pins, changed: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  const read = async (): Promise<string> =>
    JSON.stringify([...((await pins.read()) ?? [])].map(([name, { hash }]) => [name, hash]));
  return {
    stop,
    /** Starts or stops: only while tools wait for approval the store is read again and again. */
    async follow(isWaiting: boolean): Promise<void> {
      stop();
      if (!isWaiting) return;
      const before = await read();
      const compare = (now: string): void => {
        if (now === before) return;
        stop();
        changed();
      };
      stop();
      // A store that is closed cannot be read.
      timer = setInterval(() => void read().then(compare, stop), APPROVAL_MS).unref();
    },
  };
}
