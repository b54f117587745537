import type { CallToolResult, RequestOptions } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { ANYTHING } from "../transport/anything.ts";
import type { Connection } from "../connection/connection.ts";

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
    const result: unknown = await client.request(
      { method: "tasks/result", params: { taskId } },
      ANYTHING,
      options,
    );
    if (sdk.isCallToolResult(result)) return result;
    throw new ToolError("INVALID_OUTPUT", "the task ended without a tool result");
  } finally {
    options.signal?.removeEventListener("abort", cancel);
  }
}
