import { hash, randomUUID, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { provide } from "../core/context.ts";
import { ToolError } from "../core/errors.ts";
import { ArtifactsKey, type Artifacts } from "../core/store/artifacts.ts";
import type { Engine } from "../engine/types/engine.ts";
import { createDocumentParser } from "../schema/parse-document.ts";
import { defined } from "../util/json/defined.ts";
import { toFault } from "../util/json/fault.ts";
import { createSentProxies, type SentProxies } from "./sent-proxy.ts";
import { MAX_WIRE_BYTES, REMOTE_JOB, toEvent, type RemoteJob } from "./wire.ts";

export interface ToolServerOptions {
  readonly engine: Engine;
  readonly token: string;
  /** A longer request is refused; default: 32 MB. */
  readonly maxBytes?: number;
}

export interface ToolServer {
  readonly http: Server;
  /** Refuses new calls, waits for the running ones up to a time, cancels the rest and closes. */
  drain(timeoutMs: number): Promise<void>;
}

/** An error in the form of HTTP. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Running = Map<string, AbortController>;
type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Creates a server that runs the tools of an engine: POST /execute, DELETE /execute/ID, GET /tools, GET /health. It does not listen yet. */
export async function createToolServer({
  engine,
  token,
  maxBytes = MAX_WIRE_BYTES,
}: ToolServerOptions): Promise<ToolServer> {
  // An import would load the whole HTTP client of Node as well.
  const { createServer } = process.getBuiltinModule("node:http");
  const running: Running = new Map();
  const proxies = createSentProxies();
  const hasToken = tokenCheck(token);
  const parse = createDocumentParser(REMOTE_JOB, { name: "the request" });
  let isDraining = false;
  const handlerOf = ({ method = "", url = "" }: IncomingMessage): Handler => {
    const [, name, id] = /^\/(execute|tools|health)(?:\/([^/?]+))?$/.exec(url) ?? [];
    const route = `${method} ${name ?? ""}${id === undefined ? "" : "/id"}`;
    if (route === "GET health") return (_, to) => answer(to, 200, { status: "ok", running: running.size });
    if (route === "GET tools") return (_, to) => answer(to, 200, { tools: engine.list() });
    if (route === "DELETE execute/id")
      return (_, to) => answer(to, 200, { cancelled: cancel(running, decodeURIComponent(id ?? "")) });
    if (route !== "POST execute") throw new Refusal(name === undefined ? 404 : 405, "no such operation");
    if (isDraining) throw new Refusal(503, "the tool server is shutting down");
    return async (from, to) => {
      const job = parse(parseBody(await readBody(from, maxBytes)));
      await execute({ engine, running, proxies, job }, from, to);
    };
  };
  // Only a client ends an idle connection: what it sends on one at that moment cannot get lost.
  const http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.on("error", () => undefined);
    void (async () => {
      try {
        if (!hasToken(request.headers.authorization)) throw new Refusal(401, "the token is missing or wrong");
        await handlerOf(request)(request, response);
      } catch (error) {
        refuse(response, error);
      }
    })();
  });
  return {
    http,
    async drain(timeoutMs) {
      isDraining = true;
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeIdleConnections();
      const timer = setTimeout(() => {
        for (const controller of running.values()) controller.abort();
      }, timeoutMs);
      await closed;
      clearTimeout(timer);
      await engine.close();
      await proxies.close();
    },
  };
}

interface Execution {
  readonly engine: Engine;
  readonly running: Running;
  readonly proxies: SentProxies;
  readonly job: RemoteJob;
}

/** Runs the call and sends its answer: as events if the client accepts them, else as one JSON document. A lost connection cancels it. */
async function execute(
  { engine, running, proxies, job }: Execution,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { id = randomUUID(), tool: name, params: input, session, timeout_ms: timeoutMs } = job;
  if (running.has(id)) throw new Refusal(409, `a call with the id ${JSON.stringify(id)} is running`);
  const streams = request.headers.accept?.includes("text/event-stream") === true;
  const controller = new AbortController();
  running.set(id, controller);
  const abort = (): void => controller.abort();
  response.on("close", abort);
  if (streams) {
    response.setHeader("content-type", "text/event-stream").setHeader("cache-control", "no-store");
    // The headers tell the client that the call may have had an effect. They are part of the answer of a call that waits for nothing.
    process.nextTick(() => response.flushHeaders());
  }
  const stop = streams
    ? engine.on(
        ({ callId, progress }) => {
          if (callId === id) response.write(toEvent("progress", progress));
        },
        ["call.progressed"],
      )
    : undefined;
  try {
    const result = await engine.run(
      { id, name, input },
      {
        signal: controller.signal,
        fence: false,
        ...defined({ session, timeoutMs }),
        context: [
          ...proxies.provided(job.proxy),
          ...(streams ? [provide(ArtifactsKey, sentArtifacts(response))] : []),
        ],
      },
    );
    if (streams) response.end(toEvent("result", result));
    else answer(response, 200, result);
  } finally {
    stop?.();
    running.delete(id);
    response.off("close", abort);
  }
}

/** Artifacts that are sent to the client while they are written. The client replaces their ids by its own. */
function sentArtifacts(response: ServerResponse): Artifacts {
  return {
    storage: { maxBytes: Number.MAX_SAFE_INTEGER, where: "disk" },
    create() {
      const id = randomUUID();
      let size = 0;
      return {
        id,
        write(text) {
          size += Buffer.byteLength(text);
          if (response.write(toEvent("artifact", { id, text })) || response.destroyed) return undefined;
          return drained(response);
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

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    response.on("drain", settle).on("close", settle);
  });
}

function cancel(running: Running, id: string): string {
  const controller = running.get(id);
  if (controller === undefined)
    throw new Refusal(404, `no call with the id ${JSON.stringify(id)} is running`);
  controller.abort();
  return id;
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  let size = 0;
  request
    .on("data", (piece: Buffer) => {
      size += piece.length;
      // Read to its end in any case: a client that is still writing when the connection closes gets no answer.
      if (size <= maxBytes) pieces.push(piece);
    })
    .once("end", ended.resolve)
    .once("error", ended.reject);
  await ended.promise;
  if (size > maxBytes) throw new Refusal(413, `the request is longer than ${maxBytes} bytes`);
  return Buffer.concat(pieces).toString("utf8");
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the request is not JSON; expected {"tool": NAME, "params": {…}}');
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: unknown): void {
  const status = error instanceof Refusal ? error.status : error instanceof ToolError ? 400 : 500;
  if (response.headersSent) return void response.destroy();
  if (status === 401) response.setHeader("www-authenticate", "Bearer");
  const { message, hint } = toFault(error);
  answer(response, status, {
    error: error instanceof Refusal ? error.message : message,
    ...defined({ hint }),
  });
}

/** Returns a function that compares the token of a request in constant time. */
function tokenCheck(token: string): (header: string | undefined) => boolean {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  const expected = digest(token);
  return (header = "") => timingSafeEqual(digest(/^Bearer +(\S+) *$/i.exec(header)?.[1] ?? ""), expected);
}
