import { ToolError } from "../../core/errors.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import type { MaskedStream } from "../../util/text/mask.ts";
import type { AgentRuntime } from "../runtime/agent-runtime.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** A complete answer and its model. */
export type Answer = Omit<Extract<ModelPart, { readonly type: "done" }>, "type"> & { readonly model: Model };

/** The text that had arrived when the request was aborted. */
export interface PartialAnswer {
  readonly partialText: string;
}

/** Requests an answer and emits its text as it arrives. Throws if the model fails; an abort by the request's signal is not a failure. */
export async function streamAnswer(
  agent: AgentRuntime,
  request: ModelRequest,
): Promise<Answer | PartialAnswer> {
  const { options, emit } = agent;
  const { masker } = options.engine;
  const model = agent.model();
  const shown = {
    text: createShown(masker.stream, (text) => emit({ type: "model.text", text })),
    reasoning: createShown(masker.stream, (text) => emit({ type: "model.reasoning", text })),
  };
  try {
    for await (const part of takeUntilAborted(() => model.stream(request), request.signal)) {
      if (part.type === "done") {
        const { parts, reason, usage } = part;
        return { parts, reason, usage, model };
      }
      if (part.type === "retry") {
        emit({ ...part, type: "model.retried", message: masker.text(part.message) });
        // The model starts its answer again.
        shown.text.forget();
        shown.reasoning.forget();
        continue;
      }
      shown[part.type === "text" ? "reasoning" : "text"].flush();
      shown[part.type].add(part.text);
    }
  } catch (error) {
    if (!request.signal.aborted) throw toModelError(error);
  } finally {
    shown.reasoning.flush();
    shown.text.flush();
  }
  if (request.signal.aborted) return { partialText: shown.text.whole() };
  throw new ToolError("MODEL_FAILED", "the model's answer ended before it was complete");
}

interface Shown {
  add(text: string): void;
  /** Emits text that was held back for masking. */
  flush(): void;
  forget(): void;
  whole(): string;
}

/** Emits text as it arrives; masks secrets that are split between pieces too. */
function createShown(open: () => MaskedStream, show: (text: string) => void): Shown {
  let stream: MaskedStream | undefined;
  let whole = "";
  return {
    add(text) {
      stream ??= open();
      whole += text;
      for (const piece of stream.push(text)) show(piece);
    },
    flush() {
      for (const piece of stream?.end() ?? []) show(piece);
      stream = undefined;
    },
    forget() {
      stream = undefined;
      whole = "";
    },
    whole: () => whole,
  };
}

function toModelError(error: unknown): unknown {
  if (error instanceof ToolError) return error;
  const message = errorMessage(error);
  return new ToolError("MODEL_FAILED", `the model failed: ${message}`, { cause: error });
}
