import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { LONGEST_TIMER_MS } from "../../../util/async/longest-timer.ts";
import { defined } from "../../../util/json/defined.ts";
import type { Sdk } from "../transport/faults.ts";
import type { QuickRequests } from "../transport/quick-requests.ts";
import type { Asking, McpConnection, McpSource } from "../types/source-types.ts";
import type { Calls } from "./calls.ts";

/** A connection with its SDK client, whose types the package does not publish. */
export interface Connection extends McpConnection {
  readonly sdk: Sdk;
  readonly client: Client;
  readonly calls: Calls;
  /** Parameters marked `x-mcp-header` are also sent as headers. */
  readonly hasHeaders: boolean;
  /** A faster path for tool calls, if the transport supports it. */
  readonly quick: QuickRequests | undefined;
}

/** Returns the connection of a source, or opens one, as `McpSource.connection` does. */
export async function connectionOf(
  source: Pick<McpSource, "connection">,
  signal: AbortSignal,
): Promise<Connection> {
  return (await source.connection(signal)) as Connection;
}

/** The time limit for a prompt, a resource or completions. */
const TIMEOUT_MS = 30_000;

/** Sends a request to a server, which may ask through `asking` meanwhile. Rejects with a `ToolError`, at once if the server is known to be gone. */
export async function askServer<T>(
  source: Pick<McpSource, "connection">,
  signal: AbortSignal,
  request: (connection: Connection, options: RequestOptions) => Promise<T>,
  asking: Asking = NOBODY,
): Promise<T> {
  const connection = await connectionOf(source, signal);
  const late = new AbortController();
  const time = countDown(TIMEOUT_MS, () => late.abort(LATE));
  const patient: Asking = {
    find: asking.find,
    ask: (question) => time.stopDuring(asking.ask(question)),
    ...defined({ call: asking.call }),
  };
  const leave = asking === NOBODY ? () => undefined : connection.calls.enter(patient);
  const options = { signal: AbortSignal.any([signal, late.signal]), timeout: LONGEST_TIMER_MS };
  try {
    return await connection.calls.send(patient, () => request(connection, options));
  } catch (error) {
    signal.throwIfAborted();
    throw connection.fault(late.signal.aborted ? late.signal.reason : error);
  } finally {
    time.end();
    leave();
  }
}

const LATE = new ToolError("TOOL_TIMEOUT", `the server did not answer within ${TIMEOUT_MS / 1000} s`);

/** Nobody is there to ask: what the server asks is declined. */
const NOBODY: Asking = {
  find: () => undefined,
  ask: () => Promise.resolve({ approved: false, reason: "nobody can be asked" }),
};

/** Calls `onEnd` after a time that begins anew whenever the last open question is answered. */
function countDown(ms: number, onEnd: () => void) {
  let open = 0;
  let isOver = false;
  const start = (): NodeJS.Timeout => setTimeout(onEnd, ms);
  let timer = start();
  return {
    async stopDuring<T>(answer: Promise<T>): Promise<T> {
      clearTimeout(timer);
      open += 1;
      try {
        return await answer;
      } finally {
        open -= 1;
        if (open === 0 && !isOver) timer = start();
      }
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** Returns the open connection of a source, if any. */
export function currentConnection(source: Pick<McpSource, "current">): Connection | undefined {
  return source.current() as Connection | undefined;
}
