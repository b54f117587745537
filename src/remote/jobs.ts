import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import type { Provided } from "../core/context.ts";
import type { ToolResult } from "../core/result.ts";
import type { Engine } from "../engine/types/engine.ts";
import { createDocumentParser } from "../schema/parse-document.ts";
import { drained } from "../util/async/drained.ts";
import { provideSent, runCall } from "./run-call.ts";
import { createSentProxies } from "./sent-proxy.ts";
import { REMOTE_JOB, type RemoteCall, type ServerEvents } from "./wire.ts";

/** Where the events of a call are written while it runs. */
export interface EventSink {
  readonly stream: Writable;
  readonly format: <T extends keyof ServerEvents>(type: T, data: ServerEvents[T]) => string;
}

/** The calls that a tool server runs. */
export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(engine: Engine) {
  const running = new Map<string, AbortController>();
  const proxies = createSentProxies();
  const parse = createDocumentParser(REMOTE_JOB, { name: "the request" });
  let onIdle = (): void => undefined;
  const cancelAll = (): void => {
    for (const controller of running.values()) controller.abort();
  };
  return {
    /** The number of those that run. */
    get running(): number {
      return running.size;
    },
    /** Returns the job in a document; one without an id gets one. Throws `INVALID_INPUT` if the document is no job. */
    parse: (document: unknown): RemoteCall => ({ id: randomUUID(), ...parse(document) }),
    has: (id: string): boolean => running.has(id),
    /** Runs a call whose id no running one has. Never rejects. */
    async run(job: RemoteCall, sink?: EventSink): Promise<ToolResult> {
      const { id, proxy } = job;
      const controller = new AbortController();
      running.set(id, controller);
      const result = await runCall(engine, job, {
        signal: controller.signal,
        context: [...proxies.provided(proxy), ...(sink === undefined ? [] : [sentArtifacts(sink)])],
        ...(sink !== undefined && {
          onProgress: (progress) => void sink.stream.write(sink.format("progress", progress)),
        }),
      });
      running.delete(id);
      if (running.size === 0) onIdle();
      return result;
    },
    /** Returns false if no call with the id runs. */
    cancel(id: string): boolean {
      running.get(id)?.abort();
      return running.has(id);
    },
    /** Waits for the running calls up to a time, cancels the rest, and closes the engine. */
    async drain(timeoutMs: number): Promise<void> {
      const timer = setTimeout(cancelAll, timeoutMs);
      if (running.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
      clearTimeout(timer);
      await engine.close();
      await proxies.close();
    },
  };
}

/** Artifacts that are sent to the client while they are written. The client replaces their ids by its own. */
function sentArtifacts({ stream, format }: EventSink): Provided {
  return provideSent((id) => ({
    write: (text) => (stream.write(format("artifact", { id, text })) ? undefined : drained(stream)),
  }));
}
