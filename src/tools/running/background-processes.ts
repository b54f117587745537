import type { Key } from "../../core/context.ts";
import { createKey } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { SessionResource } from "../../core/session/session.ts";
import type { BackgroundProcess } from "../../system/process/background.ts";

const CLOSE_MS = 1000;
/** How many that have ended can still be looked at. */
const ENDED_KEPT = 32;

/** A background process under the id that a model knows it by. */
export interface NamedProcess {
  readonly id: string;
  readonly command: string;
  readonly process: BackgroundProcess;
  /** How many characters of its output have been looked at with `since_last`. */
  seen: number;
}

/** The background processes of one session. */
export interface BackgroundProcesses {
  /** Starts one, unless as many run as may. */
  start(command: string, begin: () => Promise<BackgroundProcess>): Promise<NamedProcess>;
  /** Throws, naming those there are, for an id that is none. */
  get(id: string): NamedProcess;
  list(): readonly NamedProcess[];
}

export const BackgroundKey: Key<BackgroundProcesses> = createKey("BackgroundProcesses");

/** Makes the collection of a session; closing it ends all that runs. */
export function createBackgroundProcesses(maxRunning: number): SessionResource<BackgroundProcesses> {
  const processes = new Map<string, NamedProcess>();
  let starting = 0;
  let started = 0;
  let isClosed = false;
  const runningCount = (): number => [...processes.values()].filter(isRunning).length + starting;
  const forgetOldest = (): void => {
    const ended = [...processes.values()].filter((one) => !isRunning(one));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) processes.delete(id);
  };
  return {
    value: {
      async start(command, begin) {
        if (runningCount() >= maxRunning) throw tooMany(maxRunning);
        starting += 1;
        try {
          const process = await begin();
          started += 1;
          const named: NamedProcess = { id: `bg${started}`, command, process, seen: 0 };
          processes.set(named.id, named);
          forgetOldest();
          // The session may have ended while it was being started.
          if (isClosed) await process.stop(CLOSE_MS);
          return named;
        } finally {
          starting -= 1;
        }
      },
      get(id) {
        const named = processes.get(id);
        if (named === undefined) throw unknownProcess(id, [...processes.keys()]);
        return named;
      },
      list: () => [...processes.values()],
    },
    async close() {
      isClosed = true;
      await Promise.all([...processes.values()].map(({ process }) => process.stop(CLOSE_MS)));
    },
  };
}

/** True until it has ended and its output is read. */
export function isRunning({ process }: NamedProcess): boolean {
  return process.end() === undefined;
}

function tooMany(limit: number): ToolError {
  return new ToolError("TOOL_FAILED", `${limit} background processes are running, which is the limit`, {
    hint: "view_background_processes lists them, stop_background_process ends one",
    details: { limit },
  });
}

function unknownProcess(id: string, known: readonly string[]): ToolError {
  return new ToolError("TOOL_FAILED", `there is no background process ${JSON.stringify(id)}`, {
    hint: known.length === 0 ? "none was started in this session" : `there are ${known.join(", ")}`,
    details: { id },
  });
}
