import { createKey, type Key } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { BackgroundProcess } from "../../system/process/background.ts";

const CLOSE_MS = 1000;
/** How many ended processes can still be viewed. */
const MAX_ENDED = 32;

/** A background process with the id that the model uses. */
export interface NamedProcess {
  readonly id: string;
  readonly command: string;
  readonly process: BackgroundProcess;
  /** How many characters of its output were returned by `since_last`. */
  readCharacters: number;
}

/** The background processes of one session. */
export type BackgroundProcesses = ReturnType<typeof createBackgroundProcesses>["value"];

export const BackgroundKey: Key<BackgroundProcesses> = createKey("BackgroundProcesses");

/** The ids of processes that run outside a sandbox; those in it have others. */
export const HOST_PROCESS = /^host\d+$/;

/** Creates the processes of a session; closing ends all of them. Their ids are the prefix and a number. */
export function createBackgroundProcesses(maxRunning: number, prefix: "bg" | "host" = "bg") {
  const processes = new Map<string, NamedProcess>();
  let starting = 0;
  let started = 0;
  let isClosed = false;
  const runningCount = (): number => [...processes.values()].filter(isRunning).length + starting;
  const forgetOldest = (): void => {
    const ended = [...processes.values()].filter((one) => !isRunning(one));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) processes.delete(id);
  };
  return {
    value: {
      /** Starts a process; throws at the limit of running ones. */
      async start(command: string, begin: () => Promise<BackgroundProcess>): Promise<NamedProcess> {
        if (runningCount() >= maxRunning) throw tooMany(maxRunning);
        starting += 1;
        try {
          const process = await begin();
          started += 1;
          const named: NamedProcess = { id: `${prefix}${started}`, command, process, readCharacters: 0 };
          processes.set(named.id, named);
          forgetOldest();
          // The session may have ended while it was being started.
          if (isClosed) await process.stop(CLOSE_MS);
          return named;
        } finally {
          starting -= 1;
        }
      },
      /** Throws for an unknown id and lists the known ones. */
      get(id: string): NamedProcess {
        const named = processes.get(id);
        if (named === undefined) throw unknownProcess(id, [...processes.keys()]);
        return named;
      },
      list: (): readonly NamedProcess[] => [...processes.values()],
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...processes.values()].map(({ process }) => process.stop(CLOSE_MS)));
    },
  };
}

/** True until the process has ended and its output is read. */
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
  return new ToolError("TOOL_FAILED", `unknown background process ${JSON.stringify(id)}`, {
    hint: known.length === 0 ? "none was started in this session" : `known: ${known.join(", ")}`,
    details: { id },
  });
}
