import type { Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { toJsonLine } from "../../../util/json/json-line.ts";
import { intoBox } from "../../../system/box/box.ts";
import type { BoxedProgram } from "../../../system/box/types.ts";
import { createCapture } from "../../../system/process/capture.ts";
import { runProcess, type ProcessEnd } from "../../../system/process/process.ts";
import { endRest } from "../../../system/process/tree.ts";
import type { Roster } from "../../../system/process/roster.ts";
import { createMessageReader, LineTooLongError } from "./message-reader.ts";
import { reserveProtected } from "./reserve-protected.ts";
import { MAX_MESSAGE_BYTES, type StdioServer } from "./server.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** To stop a server its standard input is closed; then it gets TERM, then KILL. */
const EXIT_MS = 500;
const KILL_MS = 1000;
/** How much of its standard error is held. */
const STDERR_BYTES = 8 * 1024;
const STDERR_LIMITS = { maxBytes: 2 * STDERR_BYTES, tailBytes: STDERR_BYTES, spill: () => undefined };
/** How many messages of maximum length may wait for a server that does not read its input. */
const MAX_UNREAD_MESSAGES = 2;

export interface ServerProcessOptions {
  readonly server: StdioServer;
  readonly roster: Roster;
  /** A longer message ends the server, and so does too much unread input. */
  readonly maxMessageBytes?: number;
}

/** A running server process. */
export interface ServerProcess {
  readonly pid: number;
  write(message: JSONRPCMessage): void;
  /** Returns the end of its standard error, and of output lines that are not messages. */
  stderrTail(): string;
  /** Resolves with how it ended, once its whole process tree is gone; never rejects. */
  readonly ended: Promise<ToolError>;
  stop(): Promise<void>;
}

/**
 * Starts a server in its own process group. Memory stays bounded whatever it prints, and every process it started ends with it.
 * Rejects with a `ToolError` if it cannot be started.
 */
export async function startServer(
  { server, roster, maxMessageBytes = MAX_MESSAGE_BYTES }: ServerProcessOptions,
  onMessage: (message: JSONRPCMessage) => void,
): Promise<ServerProcess> {
  const { program, release } = await programOf(server);
  const ending = new AbortController();
  const stderr = createCapture(STDERR_LIMITS);
  const keep = (text: string): void => void stderr.write({ stream: "stderr", text });
  const onOther = (line: string): void => keep(`${line.slice(0, STDERR_BYTES)}\n`);
  const read = createMessageReader({ maxCharacters: maxMessageBytes, onMessage, onOther });
  const started = Promise.withResolvers<Writable>();
  let pid = 0;
  let marker = "";
  const running = runProcess({
    ...program,
    env: program.environment,
    onStart: (...start) => ([pid, marker] = start),
    stdin: started.resolve,
    signal: ending.signal,
    graceMs: KILL_MS,
    onOutput: ({ stream, text }) => (stream === "stdout" ? read(text) : keep(text)),
    onStdoutEnd: () => void endSoon(),
  });
  running.catch(started.reject);
  running.catch(release);
  const input = await started.promise;
  const unregister = roster.register(pid);
  let why: ToolError | undefined;
  const endFor = (reason: ToolError): void => {
    why = reason;
    ending.abort();
  };
  const write = (message: JSONRPCMessage): void => {
    if (input.writableLength <= MAX_UNREAD_MESSAGES * maxMessageBytes)
      return void input.write(toJsonLine(message));
    return endFor(new ToolError("UNAVAILABLE", "it was ended because it does not read its standard input"));
  };
  const ended = running.then(endedBy, brokenBy).then(async (how) => {
    await endRest(pid, KILL_MS, marker);
    unregister();
    release();
    return why ?? how;
  });
  /** Waits briefly for an exit code; a process that lives on is ended, or each call would wait for its deadline. */
  async function endSoon(): Promise<void> {
    if ((await withTimeout(ended, EXIT_MS, () => undefined)) !== undefined) return;
    endFor(new ToolError("TOOL_CRASHED", "it was ended because it closed its standard output"));
  }
  return {
    pid,
    ended,
    write,
    stderrTail: () => stderr.peek().stderr.text.trim(),
    async stop() {
      input.end();
      await withTimeout(ended, EXIT_MS, () => undefined);
      ending.abort();
      await ended;
    },
  };
}

/** Returns the program to run, and a function to call when it has ended. */
async function programOf({ command, args, cwd, environment, box }: StdioServer): Promise<PreparedProgram> {
  const program = { file: command, args, cwd, environment };
  if (box === undefined) return { program, release: () => undefined };
  const release = reserveProtected(box.workspace);
  try {
    return { program: await intoBox(program, box), release };
  } catch (error) {
    release();
    throw error;
  }
}

interface PreparedProgram {
  readonly program: BoxedProgram;
  readonly release: () => void;
}

function endedBy({ exitCode, signal }: ProcessEnd): ToolError {
  const how = signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
  return new ToolError("TOOL_CRASHED", `its process ${how}`);
}

function brokenBy(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const what = error instanceof LineTooLongError ? `it was ended because ${error.message}` : String(error);
  return new ToolError("INVALID_OUTPUT", what, { cause: error });
}
