import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import { provide } from "../core/context.ts";
import type { ToolResult } from "../core/result.ts";
import { ArtifactsKey, type Artifacts } from "../core/store/artifacts.ts";
import type { Engine } from "../engine/types/engine.ts";
import { createDocumentParser } from "../schema/parse-document.ts";
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
export interface Jobs {
  /** The number of those that run. */
  readonly running: number;
  /** Returns the job in a document; one without an id gets one. Throws `INVALID_INPUT` if the document is no job. */
  parse(document: unknown): IdentifiedJob;
  has(id: string): boolean;
  /** Runs a call whose id no running one has. Never rejects. */
  run(job: IdentifiedJob, sink?: EventSink): Promise<ToolResult>;
  /** Returns false if no call with the id runs. */
  cancel(id: string): boolean;
  /** Waits for the running calls up to a time, cancels the rest, and closes the engine. */
  drain(timeoutMs: number): Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  readonly sink: EventSink | undefined;
}

export function createJobs(engine: Engine): Jobs {
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
    get running() {
      return running.size;
    },
    parse: (document) => ({ id: randomUUID(), ...parse(document) }),
    has: (id) => running.has(id),
    async run({ id, tool: name, params: input, session, timeout_ms: timeoutMs, proxy }, sink) {
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
    cancel(id) {
      running.get(id)?.controller.abort();
      return running.has(id);
    },
    async drain(timeoutMs) {
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
  return {
    storage: { maxBytes: Number.MAX_SAFE_INTEGER, where: "disk" },
    create() {
      const id = randomUUID();
      let size = 0;
      return {
        id,
        write(text) {
          size += Buffer.byteLength(text);
          if (stream.write(format("artifact", { id, text })) || stream.destroyed) return undefined;
          return drained(stream);
        },
        close: async () => ({ id, size, dropped: 0, createdAt: Date.now() }),
      };
    },
    info: async () => undefined,
    read: async () => undefined,
    search: async () => undefined,
    close: async () => undefined,
  };
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      stream.off("drain", settle).off("close", settle);
      resolve();
    };
    stream.on("drain", settle).on("close", settle);
  });
}
