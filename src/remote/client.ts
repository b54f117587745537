import { randomUUID } from "node:crypto";
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { ToolError } from "../core/errors.ts";
import type { ToolResult } from "../core/result.ts";
import type { ToolSpec } from "../core/spec.ts";
import { createLineReader } from "../util/text/line-reader.ts";
import { errorMessage } from "../util/text/error-message.ts";
import { MAX_WIRE_BYTES, type RemoteJob, type ServerEvents } from "./wire.ts";

/** Where a tool server listens. */
export type ServerAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number };

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ServerEvents["progress"]) => void;
  /** Receives the pieces of long output; the stream waits for a returned promise. */
  readonly onArtifact?: (piece: ServerEvents["artifact"]) => void | Promise<void>;
}

/** The client of a tool server. Its methods reject with `UNAVAILABLE` if the server cannot be reached. */
export interface ToolClient {
  /**
   * Returns the answer of the call, also if it failed. An aborted signal cancels the call, whose answer is still awaited for a
   * few seconds: it has the output so far. Rejects with `TOOL_CRASHED` if the server ends during the call.
   */
  execute(job: RemoteJob, options?: ExecuteOptions): Promise<ToolResult>;
  tools(): Promise<readonly ToolSpec[]>;
  /** Resolves if the server answers. */
  health(): Promise<void>;
  close(): void;
}

export function createToolClient(address: ServerAddress, token: string): ToolClient {
  const agent = new Agent({ keepAlive: true });
  const send: Send = (method, path, { body, onSent, accept = "application/json" } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept,
        ...(body !== undefined && {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        }),
      };
      const sent = httpRequest({ ...address, agent, method, path, headers }, resolve);
      sent.on("error", (cause) => reject(unreachable(cause)));
      onSent?.(sent);
      sent.end(body);
    });
  return {
    execute: (job, options = {}) => execute(send, job, options),
    async tools() {
      const { tools } = (await readJson(await send("GET", "/tools"))) as {
        readonly tools: readonly ToolSpec[];
      };
      return tools;
    },
    async health() {
      await readJson(await send("GET", "/health"));
    },
    close: () => agent.destroy(),
  };
}

type Send = (method: string, path: string, more?: Sent) => Promise<IncomingMessage>;

async function execute(
  send: Send,
  job: RemoteJob,
  { signal, onProgress, onArtifact }: ExecuteOptions,
): Promise<ToolResult> {
  const id = job.id ?? randomUUID();
  const accepted = Promise.withResolvers<void>();
  let connection: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    timer = setTimeout(() => connection?.destroy(), CANCEL_MS);
    // Before the server has accepted the call, it knows no such id.
    accepted.promise
      .then(() => send("DELETE", `/execute/${encodeURIComponent(id)}`))
      .then(
        (response) => response.resume(),
        () => connection?.destroy(),
      );
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    signal?.throwIfAborted();
    const response = await send("POST", "/execute", {
      body: JSON.stringify({ ...job, id }),
      accept: "text/event-stream",
      onSent: (request) => void (connection = request),
    });
    if (response.statusCode !== 200) throw await refused(response);
    accepted.resolve();
    let result: ToolResult | undefined;
    await readEvents(response, {
      progress: (progress) => onProgress?.(progress),
      artifact: (piece) => onArtifact?.(piece),
      result: (last) => void (result = last),
    });
    if (result === undefined) throw crashed(new Error("the answer has no result"));
    return result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}

/** How long the answer of a cancelled call is awaited. */
const CANCEL_MS = 5000;

interface Sent {
  readonly body?: string;
  readonly accept?: string;
  readonly onSent?: (request: ClientRequest) => void;
}

type EventHandlers = {
  readonly [Type in keyof ServerEvents]: (data: ServerEvents[Type]) => void | Promise<void>;
};

/** Calls the handler of each event in order, and waits for it. */
async function readEvents(response: IncomingMessage, handlers: EventHandlers): Promise<void> {
  const ended = Promise.withResolvers<void>();
  let waits = 0;
  let last = Promise.resolve();
  const handle = (type: keyof ServerEvents, data: string): void | Promise<void> =>
    (handlers[type] as (data: unknown) => void | Promise<void>)(JSON.parse(data));
  const finish = async (handled: Promise<void>): Promise<void> => {
    waits += 1;
    response.pause();
    await handled;
    waits -= 1;
    if (waits === 0) response.resume();
  };
  const handleNext = (type: keyof ServerEvents, data: string): void => {
    const handled = waits === 0 ? handle(type, data) : last.then(() => handle(type, data));
    if (handled === undefined) return;
    last = finish(handled);
    last.catch(ended.reject);
  };
  let type = "";
  const read = createLineReader({
    maxCharacters: MAX_WIRE_BYTES,
    onTooLong() {
      throw new ToolError(
        "INVALID_OUTPUT",
        `an event of the tool server is longer than ${MAX_WIRE_BYTES} characters`,
      );
    },
    onLine(line) {
      if (line.startsWith("event: ")) type = line.slice("event: ".length);
      else if (line.startsWith("data: ") && Object.hasOwn(handlers, type))
        handleNext(type as keyof ServerEvents, line.slice("data: ".length));
    },
  });
  response
    .setEncoding("utf8")
    .on("data", (piece: string) => {
      try {
        read(piece);
      } catch (error) {
        ended.reject(error);
      }
    })
    .once("end", ended.resolve)
    .once("error", ended.reject);
  try {
    await ended.promise;
  } catch (error) {
    response.destroy();
    throw error instanceof ToolError ? error : crashed(error);
  }
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  if (response.statusCode !== 200) throw await refused(response);
  return JSON.parse(await textOf(response));
}

async function refused(response: IncomingMessage): Promise<ToolError> {
  const text = await textOf(response);
  return new ToolError(
    "UNAVAILABLE",
    `the tool server refused the request (${response.statusCode}): ${text}`,
  );
}

async function textOf(response: IncomingMessage): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const piece of response as AsyncIterable<string>) text += piece;
  return text;
}

function crashed(cause: unknown): ToolError {
  const message = `the tool server ended during the call: ${errorMessage(cause)}`;
  return new ToolError("TOOL_CRASHED", message, { cause });
}

function unreachable(cause: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `the tool server cannot be reached: ${errorMessage(cause)}`, { cause });
}
