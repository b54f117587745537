import type { FindSecrets } from "../../core/session/find-secrets.ts";
import type { ArtifactWriter } from "../../core/store/artifacts.ts";
import { detach } from "../../util/text/detach.ts";
import { createMasker } from "../../secrets/mask.ts";
import { CUT_CONTEXT, maskedTail } from "../../secrets/masked-ends.ts";
import type { OutputChunk } from "./output.ts";

export interface CaptureOptions {
  /** Output up to this size is stored completely. */
  readonly maxBytes: number;
  /** The number of bytes stored from the end of longer output. */
  readonly tailBytes: number;
  /** Finds secrets, so that none is cut; default: those that have the form of one. */
  readonly find?: FindSecrets | undefined;
  /** Called once, when the limit is exceeded; returns a writer for the complete output, if there is one. */
  readonly spill: () => ArtifactWriter | undefined;
}

/** The end of a text, masked if it is cut, and the length of the whole. */
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
  /** The artifact with the complete output, if the limit was exceeded. */
  readonly artifactId?: string;
}

export type Capture = ReturnType<typeof createCapture>;

/** Captures the output of a process in limited memory: the end of each stream and of both, and the rest in an artifact. */
export function createCapture(options: CaptureOptions) {
  const all = createWindow(options);
  const windows = { stdout: createWindow(options), stderr: createWindow(options) };
  let writer: ArtifactWriter | undefined;
  let hasSpilled = false;
  // If the writer fails, the complete output is lost, but the command continues.
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
    const captured = { all: all.tail(), stdout: windows.stdout.tail(), stderr: windows.stderr.tail() };
    return writer === undefined ? captured : { ...captured, artifactId: writer.id };
  };
  return {
    /** Returns a promise while the writer is busy. */
    write({ stream, text }: OutputChunk): void | Promise<void> {
      const before = all.whole();
      all.add(text);
      windows[stream].add(text);
      if (hasSpilled) return spill(text);
      if (all.whole() !== undefined) return undefined;
      hasSpilled = true;
      writer = options.spill();
      return spill((before ?? "") + text);
    },
    /** Returns the output so far. */
    peek,
    async close(): Promise<Captured> {
      await writer?.close().catch(giveUp);
      return peek();
    },
  };
}

function createWindow({ maxBytes, tailBytes, find }: CaptureOptions) {
  // Of a longer output, the text before the tail, too: it shows which secrets are in it.
  const most = maxBytes + CUT_CONTEXT;
  let stored = "";
  let total = 0;
  let totalBytes = 0;
  return {
    add(text: string): void {
      total += text.length;
      if (totalBytes <= maxBytes) totalBytes += Buffer.byteLength(text);
      // Cut rarely, so that many small chunks cost no more than a few large ones.
      if (text.length > most) stored = detach(text.slice(-most));
      else if (stored.length + text.length > 2 * most) stored = stored.slice(-most) + text;
      else stored += text;
    },
    /** Returns the whole text while it is within the limit. */
    whole: (): string | undefined => (totalBytes <= maxBytes ? stored : undefined),
    tail: (): Tail => {
      const isCut = totalBytes > maxBytes;
      return {
        text: isCut ? maskedTail(stored, tailBytes, find ?? createMasker().find) : stored,
        total,
        isCut,
      };
    },
  };
}
