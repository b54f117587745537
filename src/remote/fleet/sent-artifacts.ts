import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { ObjectStore } from "@nats-io/obj";
import { unreadableArtifacts } from "../jobs.ts";

/** Creates artifacts that are written to the object store; the engine replaces their ids by its own. */
export function createSentArtifacts(payloads: ObjectStore) {
  const stored: Promise<string>[] = [];
  return {
    artifacts: unreadableArtifacts(() => {
      const id = randomUUID();
      let size = 0;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const done = payloads.put({ name: id }, readable).then(() => id);
      done.catch(() => undefined);
      stored.push(done);
      let closed: Promise<void> | undefined;
      return {
        id,
        write(text) {
          const bytes = Buffer.from(text);
          size += bytes.length;
          return writer.write(bytes);
        },
        async close() {
          await (closed ??= writer.close());
          await done;
          return { id, size, dropped: 0, createdAt: Date.now() };
        },
      };
    }),
    /** Returns the names of what was written, when all is stored. */
    finish: (): Promise<readonly string[]> => Promise.all(stored),
  };
}

/** Reads an artifact that a worker wrote, in pieces. */
export async function* readArtifact(payloads: ObjectStore, name: string): AsyncIterable<string> {
  const found = await payloads.get(name);
  if (found === null) return;
  const decoder = new TextDecoder();
  for await (const piece of Readable.fromWeb(found.data as never) as AsyncIterable<Uint8Array>)
    yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
