import { ToolError } from "../core/errors.ts";
import type { ToolResult } from "../core/result.ts";
import { createLineReader } from "../util/text/line-reader.ts";
import { untilAnswered } from "./remote-call.ts";
import {
  MAX_WIRE_BYTES,
  READY,
  type EngineLine,
  type RemoteJob,
  type ServerEvents,
  type ServerLine,
} from "./wire.ts";

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ServerEvents["progress"]) => void;
  /** Receives the pieces of long output; nothing more is read while a returned promise is pending. */
  readonly onArtifact?: (piece: ServerEvents["artifact"]) => void | Promise<void>;
}

/** The client of a tool server that reads and writes lines: see `serveLines`. */
export interface ToolClient {
  /**
   * Returns the answer of the call, also if it failed. An aborted signal cancels the call, whose answer is still awaited for a
   * few seconds: it has the output so far. Rejects with `TOOL_CRASHED` if the server ends during the call, and with `UNAVAILABLE` if it
   * has ended before or refuses the call.
   */
  execute(job: Omit<RemoteJob, "id">, options?: ExecuteOptions): Promise<ToolResult>;
}

/** A client, and what its transport calls. */
export interface ConnectedClient extends ToolClient {
  /** Resolves when the server is ready; never rejects. */
  readonly ready: Promise<void>;
  /** Takes a piece of what the server writes. Throws if it is not a line of a server. No other piece may follow before a returned promise has settled. */
  receive(piece: string): void | Promise<void>;
  /** The server has ended: no call gets an answer any more. */
  close(reason: string): void;
}

interface Call extends ExecuteOptions {
  readonly cancel: () => void;
  readonly resolve: (result: ToolResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a client that writes its lines with `write`. */
export function createToolClient(write: (line: string) => void): ConnectedClient {
  const calls = new Map<string, Call>();
  let count = 0;
  let end: string | undefined;
  const send = (line: EngineLine): void => {
    const text = JSON.stringify(line);
    if (text.length > MAX_WIRE_BYTES)
      throw new ToolError("INVALID_INPUT", `the input has over ${MAX_WIRE_BYTES} characters as JSON`, {
        hint: "pass a file instead of its text",
      });
    write(`${text}\n`);
  };
  return {
    ...createReceiver(calls),
    async execute(job, options = {}) {
      if (end !== undefined) throw new ToolError("UNAVAILABLE", `the tool server has ended: ${end}`);
      count += 1;
      const id = String(count);
      const { promise, resolve, reject } = Promise.withResolvers<ToolResult>();
      const cancel = (): void => send({ cancel: id });
      // Before the job is sent: a server in the same process may report progress at once.
      calls.set(id, { ...options, cancel, resolve, reject });
      try {
        send({ ...job, id });
      } catch (error) {
        calls.delete(id);
        throw error;
      }
      return untilAnswered(promise, options.signal, () => {
        cancel();
        return crashed("it does not answer");
      }).finally(() => calls.delete(id));
    },
    close(reason) {
      end ??= reason;
      for (const { reject } of calls.values()) reject(crashed(reason));
    },
  };
}

function createReceiver(calls: ReadonlyMap<string, Call>): Pick<ConnectedClient, "ready" | "receive"> {
  const ready = Promise.withResolvers<void>();
  let isReady = false;
  let held: Promise<void> | undefined;
  const begin = (): void => {
    isReady = true;
    ready.resolve();
  };
  const hold = (handled: Promise<void>): void => {
    const own = handled.finally(() => {
      if (held === own) held = undefined;
    });
    held = own;
  };
  const read = createLineReader({
    maxCharacters: MAX_WIRE_BYTES,
    onTooLong() {
      throw new Error(`a line of the tool server is longer than ${MAX_WIRE_BYTES} characters`);
    },
    onLine(text) {
      // What an image prints before it starts the server is not for this client.
      if (!isReady) return text === READY ? begin() : undefined;
      const line = JSON.parse(text) as ServerLine;
      const call = calls.get(line[0]);
      const handled = held === undefined ? handle(call, line) : held.then(() => handle(call, line));
      if (handled !== undefined) hold(handled);
    },
  });
  return {
    ready: ready.promise,
    receive(piece) {
      read(piece);
      return held;
    },
  };
}

/** Passes an event to its call; one that was given up gets none. */
function handle(call: Call | undefined, [, type, data]: ServerLine): void | Promise<void> {
  if (type === "artifact")
    return call?.onArtifact?.(data)?.catch((error: unknown) => {
      call.cancel();
      call.reject(error);
    });
  if (type === "progress") call?.onProgress?.(data);
  else if (type === "result") call?.resolve(data);
  else call?.reject(new ToolError("UNAVAILABLE", `the tool server refused the call: ${data}`));
}

function crashed(reason: string): ToolError {
  return new ToolError("TOOL_CRASHED", `the tool server ended during the call: ${reason}`);
}
