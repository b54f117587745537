import type { Transport, JSONRPCMessage } from "@modelcontextprotocol/client";
import type { Writable } from "node:stream";
import { ToolError } from "../../../core/errors.ts";
import { toJsonLine } from "../../../util/json/json-line.ts";
import { intoBox } from "../../../system/box/box.ts";
import type { BoxedProgram } from "../../../system/box/types.ts";
import { createCapture } from "../../../system/process/capture.ts";
import { describeEnd, runProcess, type ProcessEnd } from "../../../system/process/process.ts";
import type { Roster } from "../../../system/process/roster.ts";
import { reserveProtected } from "../../../system/box/reserve-protected.ts";
import { MAX_MESSAGE_BYTES, type StdioServer } from "./server.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { isObject } from "../../../core/json.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { createLineReader } from "../../../util/text/line-reader.ts";
import { parseJson } from "../../../util/json/parse-json.ts";

export interface StdioTransport extends Transport {
  /** The SDK treats a transport with these two as a pipe: no answer then means an older server, not an outage. */
  readonly pid: number | undefined;
  readonly stderr: null;
  /** Returns the end of the standard error output of the server. */
  stderrTail(): string;
  /** Returns why the server ended; undefined while it runs, and after `close`. */
  fault(): ToolError | undefined;
}

/** Creates an SDK transport over a server process; `onclose` is called once. */
export function createStdioTransport(options: ServerProcessOptions): StdioTransport {
  let process: ServerProcess | undefined;
  let fault: ToolError | undefined;
  let isClosing = false;
  const finish = (why: ToolError): void => {
    if (!isClosing) fault = why;
    transport.onclose?.();
  };
  const transport: StdioTransport = {
    stderr: null,
    get pid() {
      return process?.pid;
    },
    stderrTail: () => process?.stderrTail() ?? "",
    fault: () => fault,
    async start() {
      try {
        process = await startServer(options, (message) => transport.onmessage?.(message));
        void process.ended.then(finish);
      } catch (error) {
        fault = error instanceof ToolError ? error : new ToolError("TOOL_FAILED", errorMessage(error));
        throw fault;
      }
      // It was closed while starting.
      if (isClosing) await process.stop();
    },
    async send(message) {
      if (isClosing || fault !== undefined || process === undefined)
        throw fault ?? new ToolError("UNAVAILABLE", "it is not running");
      process.write(message);
    },
    async close() {
      isClosing = true;
      await process?.stop();
    },
  };
  return transport;
}

/** To stop a server its standard input is closed; then it gets TERM, then KILL. */
const EXIT_MS = 500;
const KILL_MS = 1000;
/** How much of its standard error is held. */
const STDERR_BYTES = 8 * 1024;
const STDERR_LIMITS = { maxBytes: 2 * STDERR_BYTES, tailBytes: STDERR_BYTES, spill: () => undefined };
/** Precedes each line on standard output that is not a message. */
const NO_MESSAGE = "[no MCP message, on standard output]";
/** How many messages of maximum length may wait for a server that does not read its input. */
const MAX_UNREAD_MESSAGES = 2;

interface ServerProcessOptions {
  readonly server: StdioServer;
  readonly roster?: Roster | undefined;
  /** A longer message ends the server, and so does too much unread input. */
  readonly maxMessageBytes?: number;
}

/** A running server process. */
type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server in its own process group. Memory stays bounded whatever it prints, and every process it started ends with it.
 * Rejects with a `ToolError` if it cannot be started.
 */
async function startServer(
  { server, roster, maxMessageBytes = MAX_MESSAGE_BYTES }: ServerProcessOptions,
  onMessage: (message: JSONRPCMessage) => void,
) {
  const { program, release } = await programOf(server, roster);
  const ending = new AbortController();
  const stderr = createCapture(STDERR_LIMITS);
  const keep = (text: string): void => void stderr.write({ stream: "stderr", text });
  const onOther = (line: string): void => keep(`${NO_MESSAGE} ${line.slice(0, STDERR_BYTES)}\n`);
  const read = createMessageReader({ maxCharacters: maxMessageBytes, onMessage, onOther });
  const started = Promise.withResolvers<Writable>();
  let pid = 0;
  const running = runProcess({
    ...program,
    env: program.environment,
    roster,
    onStart: (started) => (pid = started),
    stdin: started.resolve,
    signal: ending.signal,
    graceMs: KILL_MS,
    onOutput: ({ stream, text }) => (stream === "stdout" ? read(text) : keep(text)),
    onStdoutEnd: () => void endSoon(),
  });
  running.catch(started.reject);
  let why: ToolError | undefined;
  const exited = running.then(endedBy, brokenBy);
  const ended = exited.then(async (how) => {
    await release();
    return why ?? how;
  });
  const input = await started.promise;
  const endFor = (reason: ToolError): void => {
    why = reason;
    ending.abort();
  };
  const write = (message: JSONRPCMessage): void => {
    if (input.writableLength <= MAX_UNREAD_MESSAGES * maxMessageBytes)
      return void input.write(toJsonLine(message));
    return endFor(new ToolError("UNAVAILABLE", "it was ended because it does not read its standard input"));
  };
  /** Waits briefly for an exit code; a process that lives on is ended, or each call would wait for its deadline. */
  async function endSoon(): Promise<void> {
    if ((await withTimeout(exited, EXIT_MS, () => undefined)) !== undefined) return;
    endFor(new ToolError("TOOL_CRASHED", "it was ended because it closed its standard output"));
  }
  return {
    pid,
    /** Resolves with how it ended, once its whole process tree is gone; never rejects. */
    ended,
    write,
    /** Returns the end of its standard error, and of output lines that are not messages. */
    stderrTail: (): string => stderr.peek().stderr.text.trim(),
    async stop(): Promise<void> {
      input.end();
      await withTimeout(ended, EXIT_MS, () => undefined);
      ending.abort();
      await ended;
    },
  };
}

/** Returns the program to run, and a function to call when it has ended. */
async function programOf({ command, args, cwd, environment, box }: StdioServer, roster?: Roster) {
  const program: BoxedProgram = { file: command, args, cwd, environment };
  if (box === undefined) return { program, release: () => Promise.resolve() };
  const release = await reserveProtected(box.workspace, roster);
  try {
    return { program: await intoBox(program, box), release };
  } catch (error) {
    await release();
    throw error;
  }
}

function endedBy(end: ProcessEnd): ToolError {
  return new ToolError("TOOL_CRASHED", `its process ${describeEnd(end)}`);
}

function brokenBy(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const what =
    error instanceof LineTooLongError ? `it was ended because ${error.message}` : errorMessage(error);
  return new ToolError("INVALID_OUTPUT", what, { cause: error });
}

interface MessageReaderOptions {
  readonly maxCharacters: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  /** Receives each line that is not a message: servers print banners and log lines. */
  readonly onOther: (line: string) => void;
}

/** Thrown for a line that is longer than a message may be. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** Reads messages, one per line, from the output of a server in chunks of any size. Throws if a line exceeds the limit. */
export function createMessageReader(options: MessageReaderOptions): (text: string) => void {
  const { maxCharacters, onMessage, onOther } = options;
  return createLineReader({
    maxCharacters,
    onTooLong() {
      throw new LineTooLongError(`a message is longer than ${maxCharacters} characters`);
    },
    onLine(line) {
      const messages = parseMessages(line);
      if (messages !== undefined) for (const message of messages) onMessage(message);
      else if (line.trim() !== "") onOther(line);
    },
  });
}

/** Returns the messages of a line (an older protocol allows batches), or undefined if it is not JSON-RPC. The SDK validates the rest. */
function parseMessages(line: string): readonly JSONRPCMessage[] | undefined {
  const value: unknown = parseJson(line);
  const messages: readonly unknown[] = Array.isArray(value) ? value : [value];
  const areMessages = messages.every((one) => isObject(one) && one["jsonrpc"] === "2.0");
  return areMessages ? (messages as readonly JSONRPCMessage[]) : undefined;
}
