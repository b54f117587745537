import { once } from "node:events";
import { ArtifactsKey } from "../../../src/core/store/artifacts.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { object } from "../../../src/schema/define/schema.ts";

/** Runs until it is cancelled; `started` and `cancelled` say how far it is. */
export function createWaiting(): {
  readonly tool: Tool;
  readonly started: Promise<void>;
  readonly cancelled: Promise<void>;
} {
  const started = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    description: "Waits until it is cancelled.",
    input: object({}),
    risk: "low",
    effects: "none",
    limits: { graceMs: 5000 },
    async run(_, { signal, emit }) {
      emit("waiting");
      started.resolve();
      await once(signal, "abort");
      cancelled.resolve();
      signal.throwIfAborted();
    },
  });
  return { tool, started: started.promise, cancelled: cancelled.promise };
}

export const failing = defineTool({
  name: "fail",
  description: "Fails.",
  input: object({}),
  risk: "low",
  effects: "none",
  run() {
    throw new Error("the real reason");
  },
});

export const long = defineTool({
  name: "long",
  description: "Writes an artifact.",
  input: object({}),
  risk: "low",
  effects: "none",
  async run(_, context) {
    const writer = context.get(ArtifactsKey).create();
    for (let at = 0; at < 20; at += 1) await writer.write("x".repeat(100_000));
    await writer.close();
    return `whole: ${writer.id}`;
  },
});
