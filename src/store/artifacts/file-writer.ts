import { write as writeFile, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { Batch, Segment } from "./byte-queue.ts";
import { createByteQueue } from "./byte-queue.ts";
import type { Capacity } from "./stored-text.ts";

export interface FileWriter {
  /** Never throws: a failure is told by `finish`. */
  push(bytes: Buffer): void;
  /** A promise while the file is behind, to wait for before pushing more; it never rejects. */
  whenReady(): Promise<void> | undefined;
  /** Resolves when everything is in the file; rejects when that failed. Nothing may be pushed afterwards. */
  finish(): Promise<void>;
}

/**
 * Writes bytes to an open file as head and ring. Memory stays bounded: a caller who waits is told when to, and for one who does not
 * it falls back to writing at once.
 */
export function createFileWriter(
  file: number,
  capacity: Capacity,
  mostQueuedBytes = 1024 * 1024,
): FileWriter {
  const queue = createByteQueue(capacity);
  let failure: { readonly cause: unknown } | undefined;
  let draining: Promise<void> | undefined;
  let onTheWay: readonly Segment[] = [];
  let isStale = false;

  const writeInTurn = async ({ segments, release }: Batch): Promise<void> => {
    for (const [index, segment] of segments.entries()) {
      onTheWay = segments.slice(index);
      do {
        isStale = false;
        await writeSegment(file, segment);
      } while (isStale);
    }
    onTheWay = [];
    release();
  };
  const drain = async (): Promise<void> => {
    // What else comes in this turn is written together.
    await Promise.resolve();
    try {
      while (queue.size() > 0) await writeInTurn(queue.take());
    } catch (cause) {
      failure ??= { cause };
    }
    draining = undefined;
  };
  const writeAtOnce = (): void => {
    try {
      const { segments, release } = queue.take();
      for (const segment of segments) {
        writeSegmentNow(file, segment);
        // Older bytes on their way to the same places must not land on top: they are replaced and written again.
        for (const older of onTheWay) isStale = overlay(older, segment) || isStale;
      }
      release();
    } catch (cause) {
      failure ??= { cause };
    }
  };

  return {
    push(bytes) {
      if (failure !== undefined) return;
      queue.push(bytes);
      if (queue.size() > mostQueuedBytes) return writeAtOnce();
      draining ??= drain();
    },
    whenReady: () => (queue.size() * 4 > mostQueuedBytes ? draining : undefined),
    async finish() {
      await draining;
      if (failure !== undefined) throw failure.cause;
    },
  };
}

/** Copies what two segments have in common from the newer to the older; false when they have nothing in common. */
function overlay(older: Segment, newer: Segment): boolean {
  const start = Math.max(older.position, newer.position);
  const end = Math.min(older.position + older.bytes.length, newer.position + newer.bytes.length);
  if (start >= end) return false;
  newer.bytes.copy(older.bytes, start - older.position, start - newer.position, end - newer.position);
  return true;
}

const writeBytes = promisify(writeFile);

async function writeSegment(file: number, { bytes, position }: Segment): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await writeBytes(file, bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function writeSegmentNow(file: number, { bytes, position }: Segment): void {
  for (let done = 0; done < bytes.length;) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}
