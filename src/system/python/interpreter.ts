import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { Writable } from "node:stream";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { withTimeout } from "../../util/async/with-timeout.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { isProgram } from "../box/find-program.ts";
import { packageFile } from "../package-files.ts";
import { launched } from "../process/launched.ts";
import type { OnOutput } from "../process/output.ts";
import { describeEnd, runProcess } from "../process/process.ts";
import type { Roster } from "../process/roster.ts";
import { makeTemporaryFolder } from "../process/temporary-folder.ts";
import { createCells, type CellEnd } from "./cells.ts";

const START_MS = 30_000;
const KILL_MS = 1000;
/** How long an interrupted cell may take to end. */
const INTERRUPT_MS = 3000;

export interface InterpreterOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly roster: Roster;
  /** Starts the interpreter. */
  readonly launcher?: readonly string[] | undefined;
}

/** A Python interpreter whose variables last from cell to cell. */
export type Interpreter = Readonly<Awaited<ReturnType<typeof start>>>;

/** Starts the first python3 on the PATH that works. Rejects with `UNAVAILABLE` if none does. */
export async function openInterpreter(options: InterpreterOptions): Promise<Interpreter> {
  const reasons: string[] = [];
  for (const file of findPythons(options.env["PATH"] ?? "")) {
    try {
      return await start(file, options);
    } catch (error) {
      reasons.push(`${file}: ${errorMessage(error)}`);
    }
  }
  const why = reasons.length === 0 ? "there is no python3 on the PATH" : reasons.join("; ");
  throw new ToolError("UNAVAILABLE", `Python cannot be started: ${why}`, {
    hint: "install Python 3.8 or newer as python3",
  });
}

/** Version managers put a script called python3 first, which a sandbox may not be able to start. */
function findPythons(path: string): readonly string[] {
  const folders = new Set(path.split(":").filter(isAbsolute));
  return [...folders].map((folder) => join(folder, "python3")).filter(isProgram);
}

async function start(file: string, options: InterpreterOptions) {
  const token = randomBytes(12).toString("hex");
  const cells = createCells(token);
  const python = await startPython(file, options, token, cells.take);
  const { close, ended } = python;
  const ready = await withTimeout(Promise.race([cells.next(0, undefined), ended]), START_MS, () => ({
    ended: `it did not start within ${START_MS / 1000} s`,
  }));
  cells.stop();
  if ("ended" in ready) {
    await close();
    throw new Error([ready.ended, cells.unread()].filter(Boolean).join(": "));
  }
  const { version, executable } = ready;
  const pid = await python.pid;
  let count = 0;
  return {
    pid,
    version,
    executable,
    /** The number of cells that were run. */
    cells: (): number => count,
    isBusy: cells.isBusy,
    isOver: python.isOver,
    /** Runs a cell. An aborted signal interrupts it, and ends the interpreter if that has no effect. Never rejects because of the code. */
    async run(code: string, onOutput: OnOutput, signal: AbortSignal): Promise<CellEnd> {
      count += 1;
      const answered = cells.next(count, onOutput);
      const interrupt = (): void => void interruptOrEnd(pid, answered, close);
      python.write(`${JSON.stringify({ cell: count, code })}\n`);
      signal.addEventListener("abort", interrupt, { once: true });
      if (signal.aborted) interrupt();
      try {
        const end = await Promise.race([answered, ended]);
        return "ended" in end ? end : { answer: end };
      } finally {
        signal.removeEventListener("abort", interrupt);
        cells.stop();
      }
    },
    /** Ends the interpreter and everything it started. */
    close,
  };
}

async function startPython(
  file: string,
  { cwd, env, roster, launcher }: InterpreterOptions,
  token: string,
  onOutput: OnOutput,
) {
  const folder = await makeTemporaryFolder();
  const ending = new AbortController();
  const pid = Promise.withResolvers<number>();
  let input: Writable | undefined;
  let isOver = false;
  const session = ["-u", "-X", "utf8", packageFile("templates/python_session.py"), token, folder];
  const running = runProcess({
    ...launched({ file, args: session }, launcher),
    cwd,
    // Figures are saved, never shown.
    env: { MPLBACKEND: "Agg", ...env },
    roster,
    signal: ending.signal,
    graceMs: KILL_MS,
    isDetached: true,
    stdin: (stream) => void (input = stream),
    onStart: pid.resolve,
    onOutput,
  });
  pid.promise.catch(() => undefined);
  running.catch(pid.reject);
  const ended = running
    .then((end) => `it ${describeEnd(end)}`, errorMessage)
    .then(async (reason) => {
      isOver = true;
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      return { ended: reason };
    });
  return {
    /** Rejects if it cannot be started. */
    pid: pid.promise,
    write: (text: string): void => void input?.write(text),
    /** Resolves with the reason when it has ended. */
    ended,
    isOver: (): boolean => isOver,
    close: async (): Promise<void> => {
      ending.abort();
      await ended;
    },
  };
}

/** Sends Ctrl-C to the interpreter and the programs it waits for, and ends it if the cell does not end. */
async function interruptOrEnd(
  leader: number,
  answered: Promise<unknown>,
  close: () => Promise<void>,
): Promise<void> {
  attempt(() => process.kill(-leader, "SIGINT"));
  const hasEnded = await withTimeout(
    answered.then(() => true),
    INTERRUPT_MS,
    () => false,
  );
  if (!hasEnded) await close();
}
