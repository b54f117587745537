import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../../core/errors.ts";
import type { AssistantMessage } from "../../core/agent/message.ts";
import type { Model, ModelPart, StopReason } from "../../core/agent/model.ts";
import { isGuard, type Step, type Replay } from "./recording.ts";

/** Creates a model that gives the recorded answers, failures and cancellations. It makes no requests. */
export function recordedModel(id: string, replay: Replay): Model {
  return {
    id,
    format: "openai",
    // Never compacted: its answers do not depend on the conversation.
    window: Number.MAX_SAFE_INTEGER,
    price: undefined,
    async *stream({ signal }): AsyncIterable<ModelPart> {
      const { recording, speed } = replay;
      const step = recording.next();
      const rest = recording.rest();
      if (rest !== undefined) {
        if (rest.state === "failed") throw new ToolError("MODEL_FAILED", rest.reason ?? "the model failed");
        replay.stop(rest.reason ?? "as recorded");
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

/** Empty answers are not stored, but the loop's message about them is. */
function answerOf(step: Step | undefined): AssistantMessage | undefined {
  if (step?.message.role === "assistant") return step.message;
  return isGuard(step, "empty") ? { role: "assistant", parts: [] } : undefined;
}

function* deltasOf({ parts }: AssistantMessage): Iterable<ModelPart> {
  for (const part of parts) if (part.type !== "call") yield { type: part.type, text: part.text };
}

/** The stop reason is not stored; it is inferred from the next message. */
function reasonOf({ parts }: AssistantMessage, { recording }: Replay): StopReason {
  if (parts.some(({ type }) => type === "call")) return "calls";
  return isGuard(recording.next(1), "length") ? "length" : "stop";
}
