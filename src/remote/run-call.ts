import { randomUUID } from "node:crypto";
import { provide, type Progress, type Provided } from "../core/context.ts";
import type { ToolResult } from "../core/result.ts";
import { ArtifactsKey, type Artifacts } from "../core/store/artifacts.ts";
import type { Engine } from "../engine/types/engine.ts";
import type { CallOptions, RunOptions } from "../engine/types/options.ts";
import { defined } from "../util/json/defined.ts";
import type { RemoteCall } from "./wire.ts";

/** How a received call runs, and where it reports. */
export interface RunCallOptions
  extends
    Pick<RunOptions, "approvedBy" | "ceilings" | "context" | "maxBytes" | "place" | "subject">,
    Pick<CallOptions, "slot"> {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Runs a call that another program has sent, whose id no running call of its session has. Marks no text: the sender does. Never rejects. */
export async function runCall(
  engine: Engine,
  call: Omit<RemoteCall, "proxy">,
  { onProgress, ...options }: RunCallOptions,
): Promise<ToolResult> {
  const { id, tool: name, params: input, session, timeout_ms: timeoutMs } = call;
  const unlisten =
    onProgress &&
    engine.on(
      (event) => {
        if (event.callId === id && event.session === session) onProgress(event.progress);
      },
      ["call.progressed"],
    );
  const limits = defined({ session, timeoutMs });
  const result = await engine.run({ id, name, input }, { ...options, ...limits, fence: false });
  unlisten?.();
  return result;
}

/** Where a long output is sent while it is written. */
export interface OutputSink {
  write(text: string): void | Promise<void>;
  close?(): Promise<void>;
}

/** Returns artifacts of any length that the sender of a call reads, under an id of its own. */
export function provideSent(open: (id: string) => OutputSink): Provided {
  const nothing = async (): Promise<undefined> => undefined;
  const storage = { maxBytes: Number.MAX_SAFE_INTEGER, where: "disk" } as const;
  const create: Artifacts["create"] = () => {
    const id = randomUUID();
    const sink = open(id);
    let size = 0;
    return {
      id,
      write(text) {
        size += Buffer.byteLength(text);
        return sink.write(text);
      },
      async close() {
        await sink.close?.();
        return { id, size, dropped: 0, createdAt: Date.now() };
      },
    };
  };
  const reading = { info: nothing, read: nothing, search: nothing, close: nothing };
  return provide<Artifacts>(ArtifactsKey, { storage, create, ...reading });
}
