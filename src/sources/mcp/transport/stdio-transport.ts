import type { Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { startServer, type ServerProcess, type ServerProcessOptions } from "./server-process.ts";

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
        fault = error instanceof ToolError ? error : new ToolError("TOOL_FAILED", String(error));
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
