import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import type { HttpServer } from "../../../src/sources/mcp/transport/server.ts";
import { toolOf } from "./mcp.ts";

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: Readonly<Record<string, unknown>> };
}

export interface HttpPlan {
  /** The status that every request is answered with. */
  readonly status?: number;
  /** The older transport: an event stream, and messages to another URL. */
  readonly isSse?: boolean;
  /** Answers are event streams whose first event is the answer. */
  readonly streams?: boolean;
  /** The stream of a call ends before its answer, which the client gets when it resumes the stream. */
  readonly polls?: boolean;
}

/** A raw MCP server at a local URL. */
export interface RawHttp {
  readonly server: HttpServer;
  readonly requests: { readonly method: string; readonly headers: IncomingMessage["headers"] }[];
  plan(plan: HttpPlan): void;
  /** Drops every session. */
  forget(): void;
  /** Stops listening; `open` listens on the same port again. */
  close(): Promise<void>;
  open(): Promise<void>;
}

export async function rawHttp(t: TestContext, first: HttpPlan = {}): Promise<RawHttp> {
  let plan = first;
  let session = 1;
  let events: ServerResponse | undefined;
  let late = "";
  const requests: RawHttp["requests"] = [];

  const respond = (response: ServerResponse, message: Request): void => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) });
    if (events !== undefined) {
      response.writeHead(202).end();
      events.write(`event: message\ndata: ${answer}\n\n`);
    } else if (plan.polls === true && message.method === "tools/call") {
      late = answer;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end("id: 1\nretry: 1\ndata: \n\n");
    } else if (plan.streams === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`event: message\ndata: ${answer}\n\n`);
    } else {
      const own = message.method === "initialize" ? { "mcp-session-id": `s${session}` } : {};
      response.writeHead(200, { "content-type": "application/json", ...own }).end(answer);
    }
  };
  const post = (request: IncomingMessage, response: ServerResponse, message: Request): void => {
    requests.push({ method: message.method, headers: request.headers });
    const given = request.headers["mcp-session-id"];
    if (plan.isSse === true && request.url === "/mcp") response.writeHead(405).end();
    else if (given !== undefined && given !== `s${session}`) response.writeHead(404).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else respond(response, message);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (plan.status !== undefined) return void response.writeHead(plan.status).end();
    if (request.method === "GET" && plan.isSse === true) {
      events = response.writeHead(200, { "content-type": "text/event-stream" });
      return void response.write("event: endpoint\ndata: /messages\n\n");
    }
    if (request.method === "GET" && request.headers["last-event-id"] === "1")
      return void response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`id: 2\ndata: ${late}\n\n`);
    if (request.method !== "POST") return void response.writeHead(405).end();
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => post(request, response, JSON.parse(body) as Request));
  };
  const http = createServer(listener);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void http.listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = http.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      http.close(() => resolve());
      http.closeAllConnections();
    });
  t.after(close);
  return {
    server: { kind: "http", url: `http://127.0.0.1:${port}/mcp`, headers: {}, transport: "auto" },
    requests,
    plan: (next) => void (plan = next),
    forget: () => void (session += 1),
    close,
    open: () => listen(port),
  };
}

function resultOf({ method, params }: Request): object {
  if (method === "initialize")
    return {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "raw", version: "1" },
    };
  if (method === "tools/list") return { tools: [toolOf("echo"), toolOf("big")] };
  const { text = "", bytes = 0 } = params?.arguments ?? {};
  return { content: [{ type: "text", text: `${String(text)}${"x".repeat(Number(bytes))}` }] };
}
