import type { ArtifactInfo, ArtifactWriter } from "../../core/store/artifacts.ts";
import type { Capacity, WrittenText } from "./stored-text.ts";
import { createTextBytes } from "../../util/text/text-bytes.ts";

/** Where an artifact's bytes go: a file, or memory. */
export interface ByteSink {
  /** Copies what it keeps: the bytes' memory is used again. */
  push(bytes: Buffer): void;
  /** A promise while the sink is behind; it never rejects. */
  whenReady(): Promise<void> | undefined;
  finish(written: WrittenText): Promise<ArtifactInfo>;
}

/** Takes text until it is closed and ignores what comes later. `write` never fails; `close` rejects when the text could not be kept. */
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

/** In text, because engines search text faster than bytes. */
function countBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
