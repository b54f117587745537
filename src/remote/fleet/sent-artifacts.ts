import { Readable } from "node:stream";
import type { ObjectStore } from "@nats-io/obj";
import { ToolError } from "../../core/errors.ts";
import { provideSent } from "../run-call.ts";
import type { SentArtifact } from "./wire.ts";

/** Creates artifacts that are written to the object store; the engine replaces their ids by its own. */
export function createSentArtifacts(payloads: ObjectStore) {
  const stored: Promise<SentArtifact>[] = [];
  return {
    artifacts: provideSent((name) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const done = payloads.put({ name }, readable).then(({ digest }) => ({ name, digest }));
      done.catch(() => undefined);
      stored.push(done);
      let closed: Promise<void> | undefined;
      return {
        write: (text) => writer.write(Buffer.from(text)),
        async close() {
          await (closed ??= writer.close());
          await done;
        },
      };
    }),
    /** Returns the names of what was written, when all is stored. */
    finish: (): Promise<readonly SentArtifact[]> => Promise.all(stored),
  };
}

/** Reads an artifact that a worker wrote, in pieces. Throws if the object store has another in its place: the client compares what it reads with the digest. */
export async function* readArtifact(
  payloads: ObjectStore,
  { name, digest }: SentArtifact,
): AsyncIterable<string> {
  const payload = await payloads.get(name);
  if (payload === null) return;
  if (payload.info.digest !== digest)
    throw new ToolError("UNAVAILABLE", "a part of the answer was replaced in the object store of the fleet");
  const decoder = new TextDecoder();
  for await (const piece of Readable.fromWeb(payload.data as never) as AsyncIterable<Uint8Array>)
    yield decoder.decode(piece, { stream: true });
  yield decoder.decode();
}
