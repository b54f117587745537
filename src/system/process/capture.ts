import type { ArtifactWriter } from "../../core/store/artifacts.ts";
import { detach } from "../../util/text/detach.ts";
import { tailOf } from "../../util/text/text-ends.ts";
import type { OutputChunk } from "./output.ts";

export interface CaptureOptions {
  /** A text of up to so many bytes is kept whole. */
  readonly maxBytes: number;
  /** Of a longer one, so many bytes of its end are kept. */
  readonly keptBytes: number;
  /** Asked once, when the limit is passed, for a place that takes everything; undefined where there is none. */
  readonly spill: () => ArtifactWriter | undefined;
}

/** The kept end of a text, and how many characters the whole had. */
export interface Tail {
  readonly text: string;
  readonly total: number;
  readonly isCut: boolean;
}

export interface Captured {
  /** Both streams in order of arrival. */
  readonly all: Tail;
  readonly stdout: Tail;
  readonly stderr: Tail;
  /** Where the whole is, once the limit was passed. */
  readonly artifactId?: string;
}

export interface Capture {
  /** Waits, where it returns a promise, for the place that takes everything. */
  write(chunk: OutputChunk): void | Promise<void>;
  /** What has been captured so far. */
  readonly peek: () => Captured;
  close(): Promise<Captured>;
}

/** Captures the output of a process in bounded memory: the end of each stream and of both, and the whole elsewhere. */
export function createCapture(options: CaptureOptions): Capture {
  const all = createWindow(options);
  const windows = { stdout: createWindow(options), stderr: createWindow(options) };
  let writer: ArtifactWriter | undefined;
  let hasSpilled = false;
  // A place that fails costs the whole text, never the command that printed it.
  const giveUp = (): void => {
    writer = undefined;
  };
  const spill = (text: string): void | Promise<void> => {
    try {
      const writing = writer?.write(text);
      return writing instanceof Promise ? writing.catch(giveUp) : undefined;
    } catch {
      return giveUp();
    }
  };
  const peek = (): Captured => {
    const kept = { all: all.tail(), stdout: windows.stdout.tail(), stderr: windows.stderr.tail() };
    return writer === undefined ? kept : { ...kept, artifactId: writer.id };
  };
  return {
    write({ stream, text }) {
      const before = all.whole();
      all.add(text);
      windows[stream].add(text);
      if (hasSpilled) return spill(text);
      if (all.whole() !== undefined) return undefined;
      hasSpilled = true;
      writer = options.spill();
      return spill((before ?? "") + text);
    },
    peek,
    async close() {
      await writer?.close().catch(giveUp);
      return peek();
    },
  };
}

interface Window {
  add(text: string): void;
  /** The whole text while it is within the limit. */
  whole(): string | undefined;
  tail(): Tail;
}

function createWindow({ maxBytes, keptBytes }: CaptureOptions): Window {
  let kept = "";
  let total = 0;
  let totalBytes = 0;
  return {
    add(text) {
      total += text.length;
      if (totalBytes <= maxBytes) totalBytes += Buffer.byteLength(text);
      // Cut rarely, so that many small pieces cost no more than a few large ones.
      if (text.length > maxBytes) kept = detach(text.slice(-maxBytes));
      else if (kept.length + text.length > 2 * maxBytes) kept = kept.slice(-maxBytes) + text;
      else kept += text;
    },
    whole: () => (totalBytes <= maxBytes ? kept : undefined),
    tail: () => {
      const isCut = totalBytes > maxBytes;
      return { text: isCut ? tailOf(kept, keptBytes) : kept, total, isCut };
    },
  };
}
