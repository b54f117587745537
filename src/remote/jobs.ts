import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import { provide } from "../core/context.ts";
import type { ToolResult } from "../core/result.ts";
import { ArtifactsKey, type Artifacts } from "../core/store/artifacts.ts";
import type { Engine } from "../engine/types/engine.ts";
import { createDocumentParser } from "../schema/parse-document.ts";
import { drained } from "../util/async/drained.ts";
import { defined } from "../util/json/defined.ts";
import { createSentProxies } from "./sent-proxy.ts";
import { REMOTE_JOB, type RemoteJob, type ServerEvents } from "./wire.ts";

/** Where the events of a call are written while it runs. */
export interface EventSink {
  readonly stream: Writable;
  readonly format: <T extends keyof ServerEvents>(type: T, data: ServerEvents[T]) => string;
}

export type IdentifiedJob = RemoteJob & { readonly id: string };

/** The calls that a tool server runs. */
export type Jobs = ReturnType<typeof createJobs>;

interface Running {
  readonly controller: AbortController;
  readonly sink: EventSink | undefined;
}

export function createJobs(engine: Engine) {
  const running = new Map<string, Running>();
  const proxies = createSentProxies();
  const parse = createDocumentParser(REMOTE_JOB, { name: "the request" });
  let onIdle = (): void => undefined;
  engine.on(
    ({ callId, progress }) => {
      const sink = running.get(callId)?.sink;
      sink?.stream.write(sink.format("progress", progress));
    },
    ["call.progressed"],
  );
  const cancelAll = (): void => {
    for (const { controller } of running.values()) controller.abort();
  };
  return {
    /** The number of those that run. */
    get running(): number {
      return running.size;
    },
    /** Returns the job in a document; one without an id gets one. Throws `INVALID_INPUT` if the document is no job. */
    parse: (document: unknown): IdentifiedJob => ({ id: randomUUID(), ...parse(document) }),
    has: (id: string): boolean => running.has(id),
    /** Runs a call whose id no running one has. Never rejects. */
    async run(job: IdentifiedJob, sink?: EventSink): Promise<ToolResult> {
      const { id, tool: name, params: input, session, timeout_ms: timeoutMs, proxy } = job;
      const controller = new AbortController();
      running.set(id, { controller, sink });
      const context = [
        ...proxies.provided(proxy),
        ...(sink === undefined ? [] : [provide(ArtifactsKey, sentArtifacts(sink))]),
      ];
      const { signal } = controller;
      const options = { signal, fence: false, context, ...defined({ session, timeoutMs }) };
      const result = await engine.run({ id, name, input }, options);
      running.delete(id);
      if (running.size === 0) onIdle();
      return result;
    },
    /** Returns false if no call with the id runs. */
    cancel(id: string): boolean {
      running.get(id)?.controller.abort();
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
function sentArtifacts({ stream, format }: EventSink): Artifacts {
  return unreadableArtifacts(() => {
    const id = randomUUID();
    let size = 0;
    return {
      id,
      write(text) {
        size += Buffer.byteLength(text);
        return stream.write(format("artifact", { id, text })) ? undefined : drained(stream);
      },
      close: async () => ({ id, size, dropped: 0, createdAt: Date.now() }),
    };
  });
}

/** Returns artifacts of any length that are written here and read elsewhere. */
export function unreadableArtifacts(create: Artifacts["create"]): Artifacts {
  const nothing = async (): Promise<undefined> => undefined;
  const storage = { maxBytes: Number.MAX_SAFE_INTEGER, where: "disk" } as const;
  return { storage, create, info: nothing, read: nothing, search: nothing, close: nothing };
}
