import type { Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { toJsonLine } from "../../../util/json/json-line.ts";
import type { BoxedProgram } from "../../../system/box/bubblewrap.ts";
import { intoBox } from "../../../system/box/bubblewrap.ts";
import { createCapture } from "../../../system/process/capture.ts";
import type { ProcessEnd } from "../../../system/process/process.ts";
import { runProcess } from "../../../system/process/process.ts";
import { endTree } from "../../../system/process/tree.ts";
import type { Roster } from "../../../system/process/roster.ts";
import { createMessageReader, LineTooLongError } from "./message-reader.ts";
import type { StdioServer } from "./server.ts";
import { MAX_MESSAGE_BYTES } from "./server.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** A server is asked to end by the end of its input; then comes TERM, then KILL. */
const QUIET_END_MS = 500;
const KILL_MS = 1000;
/** Of what it says besides messages, the end is kept. */
const KEPT_BYTES = 8 * 1024;
/** Of the longest: what waits to be read by a server that asks much, or is asked much, and reads nothing, is ours to hold. */
const UNREAD_MESSAGES = 2;

export interface ServerProcessOptions {
  readonly server: StdioServer;
  readonly roster: Roster;
  /** A message has no more characters than bytes; a longer one ends the server, and so does too much that it leaves unread. */
  readonly maxMessageBytes?: number;
}

/** A server that runs as a process of ours. */
export interface ServerProcess {
  readonly pid: number;
  write(message: JSONRPCMessage): void;
  /** The end of what it has said besides messages. */
  stderrTail(): string;
  /** Settles with how it ended, once all of it is gone; never rejects. */
  readonly ended: Promise<ToolError>;
  stop(): Promise<void>;
}

/**
 * Starts a server in a process group of its own. Whatever it prints, memory stays bounded. Everything it started is ended with it.
 * Rejects with a `ToolError` where it cannot be started.
 */
export async function startServer(
  { server, roster, maxMessageBytes = MAX_MESSAGE_BYTES }: ServerProcessOptions,
  onMessage: (message: JSONRPCMessage) => void,
): Promise<ServerProcess> {
  const { file, args, cwd, environment: env } = await programOf(server);
  const ending = new AbortController();
  const said = createCapture({ maxBytes: 2 * KEPT_BYTES, tailBytes: KEPT_BYTES, spill: () => undefined });
  const keep = (text: string): void => void said.write({ stream: "stderr", text });
  const onNoise = (line: string): void => keep(`${line.slice(0, KEPT_BYTES)}\n`);
  const read = createMessageReader({ maxCharacters: maxMessageBytes, onMessage, onNoise });
  const started = Promise.withResolvers<Writable>();
  let pid = 0;
  const running = runProcess({
    file,
    args,
    cwd,
    env,
    onStart: (number) => (pid = number),
    stdin: started.resolve,
    signal: ending.signal,
    graceMs: KILL_MS,
    onOutput: ({ stream, text }) => (stream === "stdout" ? read(text) : keep(text)),
    onStdoutEnd: () => void onSilence(),
  });
  running.catch(started.reject);
  const input = await started.promise;
  const unregister = roster.register(pid);
  let why: ToolError | undefined;
  const endFor = (reason: ToolError): void => {
    why = reason;
    ending.abort();
  };
  const write = (message: JSONRPCMessage): void => {
    if (input.writableLength <= UNREAD_MESSAGES * maxMessageBytes)
      return void input.write(toJsonLine(message));
    return endFor(new ToolError("UNAVAILABLE", "it was ended because it does not read what it is sent"));
  };
  const ended = running.then(endedBy, brokenBy).then(async (how) => {
    await endRest(pid);
    unregister();
    return why ?? how;
  });
  /** A server that ends says more by its exit code; one that lives on would be waited for until each call's deadline. */
  async function onSilence(): Promise<void> {
    if ((await withTimeout(ended, QUIET_END_MS, () => undefined)) !== undefined) return;
    endFor(new ToolError("TOOL_CRASHED", "it was ended because it closed its standard output"));
  }
  return {
    pid,
    ended,
    write,
    stderrTail: () => said.peek().stderr.text.trim(),
    async stop() {
      input.end();
      await withTimeout(ended, QUIET_END_MS, () => undefined);
      ending.abort();
      await ended;
    },
  };
}

async function programOf(server: StdioServer): Promise<BoxedProgram> {
  const program = { ...server, file: server.command };
  return server.box === undefined ? program : intoBox(program, server.box);
}

/** What a server leaves behind is nobody's any more. */
async function endRest(leader: number): Promise<void> {
  try {
    process.kill(-leader, 0);
  } catch {
    // Mostly nothing is left, and the whole table of processes need not be read.
    return;
  }
  await endTree(leader, KILL_MS);
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
