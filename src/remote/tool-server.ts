import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { ToolError } from "../core/errors.ts";
import type { Engine } from "../engine/types/engine.ts";
import { isSameSecret } from "../system/same-secret.ts";
import { defined } from "../util/json/defined.ts";
import { toFault } from "../util/json/fault.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { FLAT_RESULT, toFlatResult, type AnswerForm } from "./tool-result.ts";
import { MAX_WIRE_BYTES, toEvent, type RemoteCall } from "./wire.ts";

export interface ToolServerOptions {
  readonly engine: Engine;
  readonly token: string;
  /** The form of answers for clients that do not ask for one; default: `result`. */
  readonly answers?: AnswerForm;
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

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Creates a server that runs the tools of an engine: POST /execute, DELETE /execute/ID, GET /tools, GET /health. It does not listen yet. */
export async function createToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const { engine, token, answers = "result", maxBytes = MAX_WIRE_BYTES } = options;
  // An import would load the whole HTTP client of Node as well.
  const { createServer } = process.getBuiltinModule("node:http");
  const jobs = createJobs(engine);
  const hasToken = tokenCheck(token);
  let isDraining = false;
  const handlerOf = ({ method = "", url = "" }: IncomingMessage): Handler => {
    const [, name, id] = /^\/(execute|tools|health)(?:\/([^/?]+))?$/.exec(url) ?? [];
    const route = `${method} ${name ?? ""}${id === undefined ? "" : "/id"}`;
    if (route === "GET health") return (_, to) => answer(to, 200, { status: "ok", running: jobs.running });
    if (route === "GET tools") return (_, to) => answer(to, 200, { tools: engine.list() });
    if (route === "DELETE execute/id")
      return (_, to) => answer(to, 200, { cancelled: cancel(jobs, decodeURIComponent(id ?? "")) });
    if (route !== "POST execute") throw new Refusal(name === undefined ? 404 : 405, "no such operation");
    if (isDraining) throw new Refusal(503, "the tool server is shutting down");
    return async (from, to) => {
      const job = jobs.parse(parseBody(await readBody(from, maxBytes)));
      await execute({ jobs, answers }, job, from, to);
    };
  };
  // Only a client ends an idle connection: what it sends on one at that moment cannot get lost.
  const http = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    response.on("error", () => undefined);
    // A connection that is idle from now on would hold up the end.
    response.on("finish", () => {
      if (isDraining) setImmediate(() => http.closeIdleConnections());
    });
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
      await jobs.drain(timeoutMs);
      await closed;
    },
  };
}

/** Runs the call and sends its answer: as events if the client accepts them, else as one JSON document. A lost connection cancels it. */
async function execute(
  { jobs, answers }: { readonly jobs: Jobs; readonly answers: AnswerForm },
  job: RemoteCall,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { id } = job;
  if (jobs.has(id)) throw new Refusal(409, `a call with the id ${JSON.stringify(id)} is running`);
  const abort = (): void => void jobs.cancel(id);
  response.on("close", abort);
  const { accept = "" } = request.headers;
  if (accept.includes("text/event-stream")) {
    response.setHeader("content-type", "text/event-stream").setHeader("cache-control", "no-store");
    // The headers tell the client that the call may have had an effect. They are part of the answer of a call that waits for nothing.
    process.nextTick(() => response.flushHeaders());
    const result = await jobs.run(job, { stream: response, format: toEvent });
    response.end(toEvent("result", result));
  } else {
    const result = await jobs.run(job);
    const isFlat = answers === "tool-result" || accept.includes(FLAT_RESULT);
    answer(response, 200, isFlat ? toFlatResult(result) : result);
  }
  response.off("close", abort);
}

function cancel(jobs: Jobs, id: string): string {
  if (!jobs.cancel(id)) throw new Refusal(404, `no call with the id ${JSON.stringify(id)} is running`);
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

/** Returns a function that compares the token of a request in constant time. A request without one is never let in. */
function tokenCheck(token: string): (header: string | undefined) => boolean {
  return (header = "") => {
    const [, sentToken] = /^Bearer +(\S+) *$/i.exec(header) ?? [];
    return sentToken !== undefined && isSameSecret(sentToken, token);
  };
}
