import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { checkMessage, INVALID_REQUEST } from "../calls/check-message.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { toJsonLine } from "../../../util/json/json-line.ts";
import { createLineReader } from "../../../util/text/line-reader.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { LISTEN } from "../server/listen-method.ts";
import type { OpenSubscriptions } from "../server/resource-subscriptions.ts";
import { cancelledBy, isId } from "../calls/read-request.ts";
import type { StdioCalls } from "./stdio-calls.ts";

export interface StdioWireOptions {
  readonly stdin: NodeJS.ReadableStream;
  readonly write: (line: string) => Promise<void>;
  readonly greet: (params: unknown) => Promise<JsonObject>;
  readonly onFault: (message: string) => void;
  /** Follows the `subscriptions/listen` requests. */
  readonly subscriptions?: Pick<OpenSubscriptions, "begin" | "end">;
  /** Settles when requests can be answered (default: at once). Never rejects. */
  readonly opened?: Promise<void>;
}

/** A transport over lines on standard input and output. It answers the handshake itself, before the rest is loaded. */
export interface StdioWire extends Transport {
  /** Sets what serves calls without the SDK's server; used only for a client that began with a handshake. */
  serveCalls(calls: StdioCalls): void;
  /** Resolves with the parameters of the handshake; undefined if the client begins without one, or leaves. */
  readonly greeted: Promise<unknown>;
  /** Settles when the client is gone. */
  readonly ended: Promise<void>;
  /** Settles when every request is answered, at the latest after a short time. */
  answered(): Promise<void>;
}

/** A longer line is dropped. */
const MAX_LINE = 32 * 1024 * 1024;
/** Reading pauses while more than this waits for a slow client. */
const MAX_UNREAD = 16 * 1024 * 1024;
/** How long open requests may take after the client has closed its side and the gateway is open: it may still read their answers. */
const LAST_ANSWERS_MS = 1500;
/** How long the answers of cancelled calls may take. */
const STOPPED_MS = 10_000;
const TOO_LONG = { code: INVALID_REQUEST, message: `a message of over ${MAX_LINE} characters was dropped` };

/** Starts to read at once; messages that cannot be answered here wait until the transport is started. */
export function createStdioWire(options: StdioWireOptions): StdioWire {
  const { stdin, greet, onFault, subscriptions, opened = Promise.resolve() } = options;
  const ended = Promise.withResolvers<void>();
  // A client that goes without a handshake has no roots to wait for.
  const inputEnded = new Promise((resolve) => stdin.once("end", resolve));
  const held: JSONRPCMessage[] = [];
  let isStarted = false;
  let calls: StdioCalls | undefined;
  const flow = createFlow(stdin, options.write);
  const write = (message: object): Promise<void> =>
    flow.send(toJsonLine(message), () => unanswered.answer(message));
  // Nothing is sent before the answer to the handshake.
  const send = (message: object): Promise<void> =>
    handshake.answering()?.then(() => write(message)) ?? write(message);
  const handshake = createHandshake(greet, write);
  const unanswered = createUnanswered();
  const pass = (message: JSONRPCMessage): void =>
    isStarted ? wire.onmessage?.(message) : void held.push(message);
  const take = (message: JsonObject): void => {
    const cancelled = cancelledBy(message);
    unanswered.receive(message, cancelled);
    handshake.receive(message);
    if (calls !== undefined && handshake.isDone() && isServed(calls, message, cancelled)) return;
    // A client misses no change after its request to listen was answered.
    const subscribed = subscriptions && followSubscriptions(subscriptions, message, cancelled);
    const passOn = (): void => pass(message as unknown as JSONRPCMessage);
    return subscribed === undefined ? passOn() : void subscribed.then(passOn);
  };
  const wire: StdioWire = {
    ended: ended.promise,
    greeted: Promise.race([handshake.greeted, inputEnded, ended.promise]),
    answered: () => unanswered.none(STOPPED_MS),
    serveCalls: (given) => void (calls = given),
    async start() {
      isStarted = true;
      for (const message of held.splice(0)) wire.onmessage?.(message);
    },
    send: (message) => (handshake.isAnswered(message) ? Promise.resolve() : send(message)),
    async close() {
      flow.close();
      ended.resolve();
      // Not before: the SDK's server answers nothing after it.
      wire.onclose?.();
    },
  };
  const read = createLineReader({
    maxCharacters: MAX_LINE,
    onTooLong() {
      onFault(`toolwright: mcp: ${TOO_LONG.message}`);
      void send({ jsonrpc: "2.0", id: null, error: TOO_LONG });
    },
    onLine(line) {
      if (line.trim() === "") return;
      const checked = checkMessage(parseJson(line));
      if ("message" in checked) take(checked.message);
      else void send(checked.refusal);
    },
  });
  stdin.setEncoding("utf8").on("data", (chunk) => read(String(chunk)));
  stdin.on("end", () => void opened.then(() => unanswered.none(LAST_ANSWERS_MS)).then(ended.resolve));
  stdin.on("error", () => ended.resolve());
  return wire;
}

/** Stops reading from a client that leaves too much unread: its answers would fill the memory. */
function createFlow(stdin: NodeJS.ReadableStream, write: (line: string) => Promise<void>) {
  let unread = 0;
  let isFull = false;
  let isClosed = false;
  const accepted = (length: number): void => {
    unread -= length;
    if (!isFull || isClosed || unread > MAX_UNREAD) return;
    isFull = false;
    stdin.resume();
  };
  return {
    /** Writes a line; settles when the stream has accepted it. Calls `settled` before, also if it fails. */
    async send(line: string, settled: () => void): Promise<void> {
      unread += line.length;
      if (unread > MAX_UNREAD && !isFull) {
        isFull = true;
        stdin.pause();
      }
      try {
        await write(line);
        accepted(line.length);
      } finally {
        settled();
      }
    },
    /** Stops reading. */
    close(): void {
      isClosed = true;
      stdin.pause();
    },
  };
}

/** Tracks the requests that have no answer yet; a cancelled one gets none. */
function createUnanswered() {
  const open = new Set<unknown>();
  let done: (() => void) | undefined;
  const settle = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) done?.();
  };
  return {
    receive({ id, method }: JsonObject, cancelled: unknown): void {
      if (cancelled !== undefined) settle(cancelled);
      // A request to listen stays open by design.
      else if (method !== undefined && method !== LISTEN && isId(id)) open.add(id);
    },
    answer(message: object): void {
      if ("id" in message && !("method" in message)) settle(message.id);
    },
    /** Settles when every request is answered, at the latest after the time. */
    none: (withinMs: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        done = () => {
          clearTimeout(timer);
          resolve();
        };
        if (open.size === 0) done();
      }),
  };
}

function createHandshake(
  greet: (params: unknown) => Promise<JsonObject>,
  send: (message: object) => Promise<void>,
) {
  let isFirst = true;
  let isDone = false;
  let answered: unknown;
  let answering: Promise<void> | undefined;
  const greeted = Promise.withResolvers<unknown>();
  return {
    greeted: greeted.promise,
    /** Answers the message if it is a handshake and the first message. */
    receive({ id, method, params }: JsonObject): void {
      if (!isFirst) return;
      isFirst = false;
      greeted.resolve(method === "initialize" ? params : undefined);
      if (method === "initialize" && isId(id)) {
        isDone = true;
        answered = id;
        answering = greet(params)
          .then((result) => send({ jsonrpc: "2.0", id, result }))
          .finally(() => (answering = undefined));
      }
    },
    isDone: () => isDone,
    /** Settles when its answer is sent; undefined if none is about to be. */
    answering: () => answering,
    /** Returns true, once, for a second answer to it: the SDK's server receives the handshake too, the client needs one answer. */
    isAnswered(message: object): boolean {
      if (answered === undefined || "method" in message || !("id" in message)) return false;
      if (message.id !== answered) return false;
      answered = undefined;
      return true;
    },
  };
}

function isServed(calls: StdioCalls, { id, method, params }: JsonObject, cancelled: unknown): boolean {
  if (cancelled !== undefined) return calls.cancel(cancelled);
  return method === "tools/call" && isId(id) && isObject(params) && calls.serve(id, params);
}

/** Returns what a request to listen has to wait for. */
function followSubscriptions(
  subscriptions: Pick<OpenSubscriptions, "begin" | "end">,
  { id, method, params }: JsonObject,
  cancelled: unknown,
): Promise<void> | undefined {
  if (method === LISTEN && isId(id)) return subscriptions.begin(id, params);
  subscriptions.end(cancelled);
  return undefined;
}
