import type { Writable } from "node:stream";

/** Resolves when the stream can be written to or is closed. */
export function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
    if (stream.destroyed) settle();
  });
}
