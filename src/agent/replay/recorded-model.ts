import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import type { AssistantMessage } from "../../core/agent/message.ts";
import type { Model, ModelPart, StopReason } from "../../core/agent/model.ts";
import type { Step } from "./recording.ts";
import { isGuard } from "./recording.ts";
import type { Replay } from "./replay.ts";

/** A model that says what was recorded, and fails or ends the task where that is what was recorded. It asks nobody. */
export function recordedModel(id: string, replay: Replay): Model {
  return {
    id,
    format: "openai",
    // What it says does not depend on what it is shown, so nothing need be left out for it.
    window: Number.MAX_SAFE_INTEGER,
    price: undefined,
    async *stream({ signal }): AsyncIterable<ModelPart> {
      const { recording, speed } = replay;
      const step = recording.next();
      const rest = recording.rest();
      if (rest !== undefined) {
        if (rest.state === "failed") throw new ToolError("MODEL_FAILED", rest.reason ?? "the model failed");
        replay.stop(rest.reason ?? "as it was recorded");
        return;
      }
      const message = answerOf(step);
      if (step === undefined || message === undefined) {
        replay.differs(step, "the model is asked");
        return;
      }
      await wait(speed === undefined ? 0 : step.waitMs / speed, undefined, { signal });
      yield* deltasOf(message);
      yield { type: "done", parts: message.parts, reason: reasonOf(message, replay), usage: step.usage };
    },
  };
}

/** An answer without words is not kept; what was said to the model about it is. */
function answerOf(step: Step | undefined): AssistantMessage | undefined {
  if (step?.message.role === "assistant") return step.message;
  return isGuard(step, "empty") ? { role: "assistant", parts: [] } : undefined;
}

function* deltasOf({ parts }: AssistantMessage): Iterable<ModelPart> {
  for (const part of parts) if (part.type !== "call") yield { type: part.type, text: part.text };
}

/** Why it stopped is not kept, but can be told from what followed. */
function reasonOf({ parts }: AssistantMessage, { recording }: Replay): StopReason {
  if (parts.some(({ type }) => type === "call")) return "calls";
  return isGuard(recording.next(1), "length") ? "length" : "stop";
}
