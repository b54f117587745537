import type {
  CallToolResult,
  Progress as McpProgress,
  Tool as McpTool,
  RequestOptions,
} from "@modelcontextprotocol/client";
import type { Reply } from "../../../core/content.ts";
import { createKey, type Key, type Progress, type ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { FindSecretsKey } from "../../../core/session/find-secrets.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { LONGEST_TIMER_MS } from "../../../util/async/longest-timer.ts";
import type { Calls } from "../connection/calls.ts";
import type { Connection } from "../connection/connection.ts";
import type { Definition, HashedDefinition } from "../types/source-types.ts";
import { statusOf } from "../transport/faults.ts";
import { defined } from "../../../util/json/defined.ts";
import { throttle } from "../../../util/async/throttle.ts";
import { toReply } from "./to-content.ts";
import { ANYTHING } from "../transport/anything.ts";

export interface Caller {
  /** The name of the server. */
  readonly name: string;
  /** Returns the open connection if the tool is known to be unchanged since it was listed. */
  readonly current: (tool: HashedDefinition) => Connection | undefined;
  /** Returns the connection after checking that the tool is unchanged since it was listed. */
  readonly connect: (tool: HashedDefinition, signal: AbortSignal) => Promise<Connection>;
  readonly drop: (connection: Connection) => void;
  readonly calls: Calls;
  readonly maxResultBytes?: number | undefined;
}

/** A result as its server sent it, and the text size above which MCP clients get it cut. */
export interface GivenResult {
  readonly result: CallToolResult;
  readonly maxResultBytes: number | undefined;
}

/** Set by a gateway that passes results on: it receives each one before it is converted. */
export const ResultReceiver: Key<(given: GivenResult) => void> = createKey("McpResultReceiver");

const PROGRESS_MS = 20;

/**
 * Calls a tool of a server. Emits progress at a limited rate; sends a cancellation when the call is aborted. If the server no longer
 * knows the session, reconnects and retries once.
 */
export async function callTool(
  caller: Caller,
  tool: HashedDefinition,
  input: JsonObject,
  context: ToolContext,
): Promise<Reply> {
  const { definition } = tool;
  const progress = throttle((update: Progress) => context.emit(update), PROGRESS_MS);
  const leave = caller.calls.enter(context);
  const send = (connection: Connection): Promise<CallToolResult> => {
    const params = { name: definition.name, arguments: input };
    const onprogress = ({ progress: done, total, message }: McpProgress): void =>
      progress.push({ done, ...defined({ total, message }) });
    const isPlain = definition.needsTask !== true;
    if (isPlain && connection.quick !== undefined)
      return connection.quick.callTool(params, context, onprogress);
    // The engine enforces deadlines; the SDK's own timeout is set as long as timers allow.
    const options = { signal: context.signal, timeout: LONGEST_TIMER_MS, onprogress };
    if (!isPlain) return callAsTask(connection, params, options);
    const toolDefinition = toMcpTool(definition);
    return caller.calls.send(context, () =>
      connection.client.callTool(params, { ...options, toolDefinition }),
    );
  };
  try {
    const connection = caller.current(tool) ?? (await connect());
    const result = await send(connection).catch((error: unknown) => sendAgain(connection, error));
    context.find(ResultReceiver)?.({ result, maxResultBytes: caller.maxResultBytes });
    return toReply(result, context.find(FindSecretsKey));
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    throw error instanceof ToolError
      ? error
      : new ToolError("TOOL_FAILED", errorMessage(error), { cause: error });
  } finally {
    progress.end();
    leave();
  }

  async function connect(): Promise<Connection> {
    const made = await caller.connect(tool, context.signal).catch((error: unknown) => {
      if (!(error instanceof ToolError) || error.code !== "UNAVAILABLE") throw error;
      const { hint, details } = error;
      const message = `the MCP server "${caller.name}" is not available: ${error.message}`;
      throw new ToolError(error.code, message, { ...defined({ hint, details }), cause: error });
    });
    context.signal.throwIfAborted();
    return made;
  }

  async function sendAgain(connection: Connection, error: unknown): Promise<CallToolResult> {
    context.signal.throwIfAborted();
    if (statusOf(connection.sdk, error) !== 404) throw await faultOf(caller, connection, error);
    caller.drop(connection);
    const next = await connect();
    return send(next).catch(async (again: unknown) => {
      throw await faultOf(caller, next, again);
    });
  }
}

/** Converts the error of a call. A failed connection is dropped, so that the next call does not wait for it. */
async function faultOf({ name, drop }: Caller, connection: Connection, error: unknown): Promise<ToolError> {
  const { sdk } = connection;
  const isClosed = error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.ConnectionClosed;
  const fault = isClosed ? await connection.closed : connection.fault(error);
  if (fault.code === "UNAVAILABLE") drop(connection);
  if (!isClosed && fault.code !== "UNAVAILABLE") return fault;
  const stderr = connection.stderrTail();
  return new ToolError(fault.code, `the MCP server "${name}" failed during the call: ${fault.message}`, {
    hint: fault.hint ?? "the call may have had effects; the next call starts the server again",
    details: { mayHaveHadEffects: true, ...(stderr !== "" && { stderr }) },
    cause: error,
  });
}

/** Returns what the SDK needs to send parameters as headers; the engine validates outputs. */
function toMcpTool({ name, description, input }: Definition): McpTool {
  return { name, description, inputSchema: input } as unknown as McpTool;
}

/**
 * Calls a tool that a server of protocol 2025-11-25 runs only as a task: starts the task and waits for its result. Aborting the call
 * cancels the task.
 */
export async function callAsTask(
  { sdk, client }: Connection,
  params: { readonly name: string; readonly arguments: JsonObject },
  options: RequestOptions,
): Promise<CallToolResult> {
  const request = { method: "tools/call", params: { ...params, task: {} } } as const;
  const started = await client.request(request, ANYTHING, options);
  const { taskId } = isObject(started["task"]) ? started["task"] : {};
  if (typeof taskId !== "string") throw new ToolError("INVALID_OUTPUT", "the server did not start a task");
  const cancel = (): void => {
    void client.request({ method: "tasks/cancel", params: { taskId } }, ANYTHING).catch(() => undefined);
  };
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted === true) cancel();
  try {
    const resultRequest = { method: "tasks/result", params: { taskId } };
    const result: unknown = await client.request(resultRequest, ANYTHING, options);
    if (sdk.isCallToolResult(result)) return result;
    throw new ToolError("INVALID_OUTPUT", "the task ended without a tool result");
  } finally {
    options.signal?.removeEventListener("abort", cancel);
  }
}
