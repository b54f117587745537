import type { Captured } from "./capture.ts";
import { createCapture } from "./capture.ts";
import type { CaptureOptions } from "./capture.ts";
import type { ProcessEnd, ProcessOptions } from "./process.ts";
import { runProcess } from "./process.ts";
import type { Roster } from "./roster.ts";
import { endTree } from "./tree.ts";

const KILL_MS = 1000;

export interface BackgroundOptions extends Omit<
  ProcessOptions,
  "onOutput" | "onStart" | "signal" | "graceMs"
> {
  readonly capture: CaptureOptions;
  /** Of the beginning of the output, so many characters are kept. */
  readonly headCharacters: number;
  /** Ended after so long. */
  readonly ttlMs: number;
  readonly roster: Roster;
}

/** A process that runs on after the call that started it. */
export interface BackgroundProcess {
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** How it ended; undefined while it runs. */
  end(): ProcessEnd | undefined;
  /** Settles when it has ended and its output is read. */
  readonly ended: Promise<void>;
  /** How much it has printed. */
  bytes(): number;
  head(): string;
  output(): Captured;
  /** Ends it and everything it started: asked first, killed after the grace. Settles when all of it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** Starts a program that nobody waits for. Its output is kept in bounded memory. Rejects where it cannot be started. */
export async function startBackground(options: BackgroundOptions): Promise<BackgroundProcess> {
  const { capture: captureOptions, headCharacters, ttlMs, roster, ...program } = options;
  const capture = createCapture(captureOptions);
  const started = Promise.withResolvers<number>();
  let head = "";
  let bytes = 0;
  let end: ProcessEnd | undefined;
  const running = runProcess({
    ...program,
    isDetached: true,
    onStart: started.resolve,
    onOutput(chunk) {
      bytes += Buffer.byteLength(chunk.text);
      if (head.length < headCharacters) head += chunk.text.slice(0, headCharacters - head.length);
      return capture.write(chunk);
    },
  });
  running.catch(started.reject);
  const pid = await started.promise;
  const startedAt = Date.now();
  const strikeOff = roster.enter(pid);
  const finish = async (ending: Promise<ProcessEnd>): Promise<void> => {
    // What fails after the start is the reading of its output; it has been ended then.
    const how = await ending.catch((): ProcessEnd => ({ exitCode: null, signal: "SIGKILL" }));
    clearTimeout(ttl);
    strikeOff();
    await capture.close();
    end = how;
  };
  const stop = async (graceMs: number): Promise<void> => {
    if (end === undefined) await endTree(pid, graceMs);
    await ended;
  };
  const ttl = setTimeout(() => void stop(KILL_MS), ttlMs).unref();
  const ended = finish(running);
  return {
    pid,
    startedAt,
    ended,
    stop,
    end: () => end,
    bytes: () => bytes,
    head: () => head,
    output: capture.peek,
  };
}
