import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { withTimeout } from "../../util/async/with-timeout.ts";

/** After a process has ended, output beyond the capacity of its pipes comes from another process. */
const MAX_BYTES_AFTER_END = 1024 * 1024;
const MAX_NOISY_WAITS = 4;

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** Receives output in order; the process is paused while its promise is pending. */
export type OnOutput = (chunk: OutputChunk) => void | Promise<void>;

/** Decodes the chunks of a stream. */
export type Decoder = Pick<StringDecoder, "write" | "end">;

export type Outputs = Readonly<Record<OutputChunk["stream"], Readable | null>>;

export interface Output {
  /** Resolves when standard output has ended and was delivered. */
  readonly stdoutEnded: Promise<void>;
  /** Rejects with the error of `onOutput`; never resolves. */
  readonly failed: Promise<never>;
  /** Resolves when both pipes have ended, are quiet for `quietMs`, or are evidently held open by another process. */
  finish(quietMs: number): Promise<void>;
  close(): void;
}

/** Reads both pipes of a process as UTF-8, across chunks, or its output with another decoder; never buffers more than a few chunks. */
export function readOutput(outputs: Outputs, onOutput: OnOutput, decode?: () => Decoder): Output {
  const streams = [outputs.stdout, outputs.stderr].filter((stream) => stream !== null);
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  let hasFailed = false;
  let holds = 0;
  let lastHold = Promise.resolve();
  let arrivedBytes = 0;
  let limitBytes = Number.POSITIVE_INFINITY;
  const tooMuch = Promise.withResolvers<void>();
  // Avoids an unhandled rejection if no one is waiting.
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
  const stdoutEnded = pump(outputs.stdout, (text, bytes) => take("stdout", text, bytes), decode?.());
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
        const isOver = await settlesWithin(Promise.race([closed, tooMuch.promise]), quietMs);
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

function pump(
  stream: Readable | null,
  take: (text: string, bytes: number) => void,
  decoder: Decoder = new StringDecoder("utf8"),
): Promise<void> {
  if (stream === null) return Promise.resolve();
  stream.on("data", (chunk: Buffer) => {
    take(decoder.write(chunk), chunk.length);
  });
  // A broken pipe has ended; its output so far counts.
  stream.on("error", () => undefined);
  return new Promise((resolve) => {
    stream.once("close", () => {
      take(decoder.end(), 0);
      resolve();
    });
  });
}

/** Returns true if the work settles in time. A late timer fires before data that has already arrived is read, so that is awaited. */
function settlesWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  return withTimeout(
    work.then(() => true),
    limitMs,
    () => setImmediate(false),
  );
}
