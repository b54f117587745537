import type { ArtifactInfo, ArtifactWriter } from "../../core/store/artifacts.ts";
import type { Capacity, WrittenText } from "./stored-text.ts";
import { createTextBytes } from "./text-bytes.ts";

/** Stores the bytes of an artifact in a file or in memory. */
export interface ByteSink {
  /** Copies the bytes: the caller reuses their memory. */
  push(bytes: Buffer): void;
  /** Returns a promise while too much is queued; it never rejects. */
  whenReady(): Promise<void> | undefined;
  finish(written: WrittenText): Promise<ArtifactInfo>;
}

/** Creates a writer that ignores text after `close`. `write` never fails; `close` rejects if the text could not be stored. */
export function createArtifactWriter(id: string, capacity: Capacity, sink: ByteSink): ArtifactWriter {
  let size = 0;
  let breaksAfterHead = 0;
  let closing: Promise<ArtifactInfo> | undefined;
  const bytes = createTextBytes((piece, text) => {
    const headRoom = capacity.headBytes - size;
    if (headRoom <= 0) breaksAfterHead += countBreaks(text);
    else if (headRoom < piece.length) breaksAfterHead += countBreaks(piece.toString("latin1", headRoom));
    size += piece.length;
    sink.push(piece);
  });

  return {
    id,
    write(text) {
      if (closing !== undefined) return undefined;
      bytes.write(text);
      return sink.whenReady();
    },
    close() {
      if (closing === undefined) bytes.end();
      return (closing ??= sink.finish({ size, breaksAfterHead, capacity }));
    },
  };
}

/** Counts in text: strings are searched faster than bytes. */
function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
