import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json.ts";
import { toJsonLine } from "../../../util/json/json-line.ts";
import { createLineReader } from "../../../util/text/line-reader.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { OpenWatches } from "../notify/listened-resources.ts";

/** A client's request that we answer without the protocol's own server. */
export interface DirectRequest {
  readonly id: string | number;
  readonly params: JsonObject;
}

export interface DirectCalls {
  /** Answers through `send` in its own time; false where the request must go the long way. */
  take(request: DirectRequest): boolean;
  /** False where no such call is running here. */
  cancel(id: unknown): boolean;
}

export interface StdioWireOptions {
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (line: string) => Promise<void>;
  readonly greet: (params: unknown) => JsonObject;
  readonly onFault: (message: string) => void;
  /** Hears which requests to listen begin and end. */
  readonly watches?: Pick<OpenWatches, "begin" | "end">;
}

/** Lines on standard input and output as a transport, which answers the handshake by itself, before anything else is there. */
export interface StdioWire extends Transport {
  /** Says who answers calls directly; only for a client that began with a handshake. */
  direct(calls: DirectCalls): void;
  /** Settles when the client is gone. */
  readonly ended: Promise<void>;
}

/** More than any call needs; a longer line is dropped. */
const MAX_LINE = 32 * 1024 * 1024;
/** So much may wait for a client that reads slowly. */
const MAX_UNREAD = 16 * 1024 * 1024;
/** A client that has said all it has to say may still read: what is being answered gets so long. */
const LAST_ANSWERS_MS = 1500;
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const TOO_LONG = { code: INVALID_REQUEST, message: `a message of over ${MAX_LINE} characters was dropped` };

/** Begins to read at once; what cannot be answered here waits until the transport is started. */
export function createStdioWire({ stdin, write, greet, onFault, watches }: StdioWireOptions): StdioWire {
  const ended = Promise.withResolvers<void>();
  const held: JSONRPCMessage[] = [];
  let isStarted = false;
  let calls: DirectCalls | undefined;
  const flow = createFlow(stdin, write);
  const send = (message: object): Promise<void> => flow.send(toJsonLine(message));
  const refuse = (error: JsonObject): void => void send({ jsonrpc: "2.0", id: null, error });
  const handshake = createHandshake(greet, send);
  const unanswered = createUnanswered();
  const pass = (message: JsonObject): void => {
    if (isStarted) wire.onmessage?.(message as unknown as JSONRPCMessage);
    else held.push(message as unknown as JSONRPCMessage);
  };
  const take = (message: JsonObject): void => {
    unanswered.hear(message);
    handshake.hear(message);
    if (calls !== undefined && handshake.isDone() && isTaken(calls, message)) return;
    // Who is told that it is listened for misses nothing from then on.
    const watched = watches && hearWatches(watches, message);
    return watched === undefined ? pass(message) : void watched.then(() => pass(message));
  };
  const end = (): void => {
    ended.resolve();
    wire.onclose?.();
  };
  const wire: StdioWire = {
    ended: ended.promise,
    direct(given) {
      calls = given;
    },
    start() {
      isStarted = true;
      for (const message of held.splice(0)) wire.onmessage?.(message);
      return Promise.resolve();
    },
    async send(message) {
      if (!handshake.isAnswered(message)) await send(message);
      unanswered.note(message);
    },
    close() {
      flow.close();
      end();
      return Promise.resolve();
    },
  };
  const read = createLineReader({
    maxCharacters: MAX_LINE,
    onTooLong: () => void [onFault(`toolwright: mcp: ${TOO_LONG.message}`), refuse(TOO_LONG)],
    onLine(line) {
      const message = parseJson(line);
      if (isObject(message) && message["jsonrpc"] === "2.0") take(message);
      else if (line.trim() !== "") refuse(faultOf(message));
    },
  });
  stdin.setEncoding("utf8");
  stdin.on("data", (chunk) => read(String(chunk)));
  stdin.on("end", () => void unanswered.none(LAST_ANSWERS_MS).then(end));
  stdin.on("error", end);
  return wire;
}

interface Flow {
  /** Writes a line; settles when it is handed over. */
  send(line: string): Promise<void>;
  /** Nothing more is taken. */
  close(): void;
}

/** Takes nothing from a client that leaves too much unread: its answers would fill the memory. */
function createFlow(stdin: NodeJS.ReadableStream, write: (line: string) => Promise<void>): Flow {
  let unread = 0;
  let isFull = false;
  let isClosed = false;
  const handedOver = (length: number): void => {
    unread -= length;
    if (!isFull || isClosed || unread > MAX_UNREAD) return;
    isFull = false;
    stdin.resume();
  };
  return {
    send(line) {
      unread += line.length;
      if (unread > MAX_UNREAD && !isFull) {
        isFull = true;
        stdin.pause();
      }
      return write(line).then(() => handedOver(line.length));
    },
    close() {
      isClosed = true;
      stdin.pause();
    },
  };
}

interface Unanswered {
  hear(message: JsonObject): void;
  /** An answer has been given. */
  note(message: object): void;
  /** Settles when there is none, at the latest after the time. */
  none(withinMs: number): Promise<void>;
}

/** The requests that have no answer yet; one that was cancelled gets none. */
function createUnanswered(): Unanswered {
  const open = new Set<unknown>();
  let done: (() => void) | undefined;
  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) done?.();
  };
  return {
    hear({ id, method, params }) {
      if (method === "notifications/cancelled" && isObject(params)) settle(params["requestId"]);
      else if (method !== undefined && isId(id)) open.add(id);
    },
    note(message) {
      if ("id" in message && !("method" in message)) settle(message.id);
    },
    none: (withinMs) =>
      new Promise((resolve) => {
        done = resolve;
        if (open.size === 0) resolve();
        setTimeout(resolve, withinMs);
      }),
  };
}

interface Handshake {
  /** Answers it where this is one and nothing came before. */
  hear(message: JsonObject): void;
  isDone(): boolean;
  /** True, once, for a second answer to it: the protocol's server hears the handshake too, its client needs one answer. */
  isAnswered(message: object): boolean;
}

function createHandshake(
  greet: (params: unknown) => JsonObject,
  send: (message: object) => Promise<void>,
): Handshake {
  let isFirst = true;
  let isDone = false;
  let answered: unknown;
  return {
    hear({ id, method, params }) {
      if (isFirst && method === "initialize" && isId(id)) {
        isDone = true;
        answered = id;
        void send({ jsonrpc: "2.0", id, result: greet(params) });
      }
      isFirst = false;
    },
    isDone: () => isDone,
    isAnswered(message) {
      if (answered === undefined || "method" in message || !("id" in message)) return false;
      if (message.id !== answered) return false;
      answered = undefined;
      return true;
    },
  };
}

function isTaken(calls: DirectCalls, { id, method, params }: JsonObject): boolean {
  if (!isObject(params)) return false;
  if (method === "notifications/cancelled") return calls.cancel(params["requestId"]);
  return method === "tools/call" && isId(id) && calls.take({ id, params });
}

/** Gives what a request to listen has to wait for. */
function hearWatches(
  watches: Pick<OpenWatches, "begin" | "end">,
  { id, method, params }: JsonObject,
): Promise<void> | undefined {
  if (method === "subscriptions/listen" && isId(id)) return watches.begin(id, params);
  if (method === "notifications/cancelled" && isObject(params)) watches.end(params["requestId"]);
  return undefined;
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}

function faultOf(message: unknown): JsonObject {
  return message === undefined
    ? { code: PARSE_ERROR, message: "this line is not JSON" }
    : { code: INVALID_REQUEST, message: "this is no message of JSON-RPC 2.0" };
}
