import type { ArtifactInfo, ArtifactWriter } from "../core/artifacts.ts";
import type { Capacity, WrittenText } from "./kept-text.ts";
import { createTextBytes } from "./text-bytes.ts";

/** Where an artifact's bytes go: a file, or memory. */
export interface ByteSink {
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
  const bytes = createTextBytes((piece) => {
    breaksAfterHead += countBreaks(piece, capacity.headBytes - size);
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

function countBreaks(bytes: Buffer, from: number): number {
  if (from >= bytes.length) return 0;
  let count = 0;
  let at = bytes.indexOf(LINE_BREAK, Math.max(0, from));
  for (; at >= 0; at = bytes.indexOf(LINE_BREAK, at + 1)) count += 1;
  return count;
}

const LINE_BREAK = 0x0a;
