import { CUT_CONTEXT, maskedHead } from "../../secrets/masked-ends.ts";
import { createCapture, type CaptureOptions } from "./capture.ts";
import { runProcess, type ProcessEnd, type ProcessOptions } from "./process.ts";
import { endTree } from "./tree.ts";

const KILL_MS = 1000;

export interface BackgroundOptions extends Omit<
  ProcessOptions,
  "onOutput" | "onStart" | "onExit" | "rest" | "signal" | "graceMs"
> {
  readonly capture: CaptureOptions;
  /** The number of characters stored from the beginning of the output. */
  readonly headCharacters: number;
  /** The maximum run time. */
  readonly ttlMs: number;
}

/** A process that keeps running after the call that started it. It has ended when nothing that it started runs. */
export type BackgroundProcess = Readonly<Awaited<ReturnType<typeof startBackground>>>;

/** Starts a program in the background. Stores its output in limited memory. Rejects if it cannot be started. */
export async function startBackground(options: BackgroundOptions) {
  const { capture: captureOptions, headCharacters, ttlMs, ...program } = options;
  const capture = createCapture(captureOptions);
  const started = Promise.withResolvers<readonly [pid: number, marker: string]>();
  let head = "";
  let bytes = 0;
  let end: ProcessEnd | undefined;
  let hasExited = false;
  const running = runProcess({
    ...program,
    isDetached: true,
    rest: "await",
    onExit: () => (hasExited = true),
    onStart: (...start) => started.resolve(start),
    onOutput(chunk) {
      bytes += Buffer.byteLength(chunk.text);
      const room = headCharacters + CUT_CONTEXT - head.length;
      if (room > 0) head += chunk.text.slice(0, room);
      return capture.write(chunk);
    },
  });
  running.catch(started.reject);
  const [pid, marker] = await started.promise;
  const startedAt = Date.now();
  const finish = async (ending: Promise<ProcessEnd>): Promise<void> => {
    // After the start only reading the output can fail; the process has been killed then.
    const how = await ending.catch((): ProcessEnd => ({ exitCode: null, signal: "SIGKILL" }));
    clearTimeout(ttl);
    await capture.close();
    end = how;
  };
  const stop = async (graceMs: number): Promise<void> => {
    // After its exit, its pid may be that of another process.
    if (end === undefined) await endTree(hasExited ? undefined : pid, graceMs, marker);
    // What is awaited does not keep this process alive by itself.
    const hold = setInterval(() => undefined, KILL_MS);
    await ended;
    clearInterval(hold);
  };
  const ttl = setTimeout(() => void stop(KILL_MS), ttlMs).unref();
  const ended = finish(running);
  return {
    pid,
    /** Milliseconds since 1970. */
    startedAt,
    /** Resolves when it has ended and its output is read. */
    ended,
    /** Terminates it and everything it started, and kills what is left after the grace period. Resolves when all processes are gone. */
    stop,
    /** Returns how it ended; undefined while it runs. */
    end: (): ProcessEnd | undefined => end,
    /** The size of its output so far. */
    bytes: (): number => bytes,
    head: (): string => maskedHead(head, headCharacters, captureOptions.find),
    output: capture.peek,
  };
}
