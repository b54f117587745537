import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate, setTimeout } from "node:timers/promises";

/** After the end of a process, more than its pipes can have held is somebody else's output. */
const MAX_BYTES_AFTER_END = 1024 * 1024;
const MAX_NOISY_WAITS = 4;

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** Takes output as it arrives, in order; while its promise is open the process is held back. */
export type OnOutput = (chunk: OutputChunk) => void | Promise<void>;

export type Outputs = Readonly<Record<OutputChunk["stream"], Readable | null>>;

export interface Output {
  /** Settles when standard output is at its end and all of it was taken. */
  readonly stdoutEnded: Promise<void>;
  /** Rejects with what `onOutput` threw; never resolves. */
  readonly failed: Promise<never>;
  /** Settles when both pipes are at their end, or quiet for so long, or evidently kept by something else. */
  finish(quietMs: number): Promise<void>;
  close(): void;
}

/** Reads both pipes of a process at once, as UTF-8 across chunk borders; never holds more than a few chunks. */
export function readOutput(outputs: Outputs, onOutput: OnOutput): Output {
  const streams = [outputs.stdout, outputs.stderr].filter((stream) => stream !== null);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  let hasFailed = false;
  let holds = 0;
  let lastHold = Promise.resolve();
  let arrivedBytes = 0;
  let limitBytes = Number.POSITIVE_INFINITY;
  const tooMuch = Promise.withResolvers<void>();
  // Whoever waits hears of it; nobody waiting is no crash.
  failed.catch(() => (hasFailed = true));
  const hold = async (taking: Promise<void>): Promise<void> => {
    holds += 1;
    for (const stream of streams) stream.pause();
    try {
      await taking;
      holds -= 1;
      if (holds === 0) for (const stream of streams) stream.resume();
    } catch (error) {
      fail(error);
    }
  };
  const take = (stream: OutputChunk["stream"], text: string, bytes: number): void => {
    arrivedBytes += bytes;
    if (arrivedBytes > limitBytes) tooMuch.resolve();
    if (text === "" || hasFailed) return;
    try {
      const taking = onOutput({ stream, text });
      if (taking !== undefined) lastHold = hold(taking);
    } catch (error) {
      fail(error);
    }
  };
  const stdoutEnded = pump(outputs.stdout, (text, bytes) => take("stdout", text, bytes));
  const closed = Promise.all([
    stdoutEnded,
    pump(outputs.stderr, (text, bytes) => take("stderr", text, bytes)),
  ]);
  return {
    stdoutEnded,
    failed,
    async finish(quietMs) {
      limitBytes = arrivedBytes + MAX_BYTES_AFTER_END;
      let waits = 0;
      const mayGoOn = (): boolean => waits < MAX_NOISY_WAITS && arrivedBytes <= limitBytes && !hasFailed;
      while (mayGoOn()) {
        const before = arrivedBytes;
        const isOver = await within(Promise.race([closed, tooMuch.promise]), quietMs);
        const wasHeld = holds > 0;
        await lastHold;
        if (isOver || (!wasHeld && before === arrivedBytes)) return;
        if (!wasHeld) waits += 1;
      }
    },
    close() {
      for (const stream of streams) stream.destroy();
    },
  };
}

function pump(stream: Readable | null, take: (text: string, bytes: number) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  const decoder = new StringDecoder("utf8");
  stream.on("data", (chunk: Buffer) => {
    take(decoder.write(chunk), chunk.length);
  });
  // A pipe that breaks has ended; what it gave before counts.
  stream.on("error", () => undefined);
  return new Promise((resolve) => {
    stream.once("close", () => {
      take(decoder.end(), 0);
      resolve();
    });
  });
}

/** True when it settles in time. A timer that is late runs before what has already arrived is read, so that is awaited. */
async function within(settled: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    const late = setTimeout(limitMs, false, { signal: timer.signal }).then(() => setImmediate(false));
    return await Promise.race([settled.then(() => true), late.catch(() => false)]);
  } finally {
    timer.abort();
  }
}
