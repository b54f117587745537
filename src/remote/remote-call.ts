import { Reply } from "../core/content.ts";
import type { ToolContext } from "../core/context.ts";
import { ToolError } from "../core/errors.ts";
import type { Job } from "../core/job.ts";
import type { ToolResult } from "../core/result.ts";
import { ArtifactsKey, type ArtifactWriter } from "../core/store/artifacts.ts";
import { defined } from "../util/json/defined.ts";
import type { RemoteCall, ServerEvents } from "./wire.ts";

/** Returns what another process needs to run a job: also its presets, which are never shown. */
export function toSent({ tool, input, hidden }: Job): Pick<RemoteCall, "tool" | "params"> {
  return { tool: tool.name, params: { ...input, ...hidden } };
}

/** Returns the answer of another process as the output of a tool. Throws the error of one that failed. */
export function toOutput(result: ToolResult): Reply {
  if (result.ok) {
    const { content, data, meta } = result;
    return new Reply(content, defined({ data, truncated: meta.truncated }));
  }
  const { code, message, hint, details } = result.error;
  throw new ToolError(code, message, { hint, details });
}

/** How long the answer of a cancelled call is awaited. */
const CANCEL_MS = 5000;

/**
 * Waits for the answer of a call that was sent. An abort cancels the call with `cancel`, and the answer is awaited for a few seconds more:
 * it has the output so far. Without one, rejects with the error that `cancel` returned.
 */
export async function untilAnswered<T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
  cancel: () => ToolError,
): Promise<T> {
  const unanswered = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    const error = cancel();
    timer = setTimeout(() => unanswered.reject(error), CANCEL_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([answer, unanswered.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Stores what another process sends of a long output as an artifact of the host. */
export function createReceivedArtifact(context: ToolContext) {
  let writer: ArtifactWriter | undefined;
  let serverId: string | undefined;
  return {
    receive: ({ id, text }: ServerEvents["artifact"]): void | Promise<void> => {
      serverId ??= id;
      writer ??= context.find(ArtifactsKey)?.create();
      return writer?.write(text);
    },
    /** Returns the answer with the id of the host's artifact in place of the server's. */
    withOwnId(result: ToolResult): ToolResult {
      if (serverId === undefined) return result;
      const own = writer?.id ?? "unknown";
      return JSON.parse(JSON.stringify(result).replaceAll(serverId, own)) as ToolResult;
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await writer?.close();
    },
  };
}
