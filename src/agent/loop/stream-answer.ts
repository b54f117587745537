import { ToolError } from "../../core/errors.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import type { MaskedStream } from "../../util/text/mask.ts";
import type { AgentParts } from "../parts/agent-parts.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";

/** An answer that is whole, and who gave it. */
export type Answer = Omit<Extract<ModelPart, { readonly type: "done" }>, "type"> & { readonly model: Model };

/** What had arrived of an answer when the request was ended. */
export interface CutAnswer {
  readonly cut: string;
}

/** Asks the model and tells what arrives. Throws what the model throws; an end by the request's own signal is no failure. */
export async function streamAnswer(agent: AgentParts, request: ModelRequest): Promise<Answer | CutAnswer> {
  const { options, tell } = agent;
  const { masker } = options.engine;
  const model = agent.model();
  const shown = {
    text: createShown(masker.stream, (text) => tell({ type: "model.text", text })),
    reasoning: createShown(masker.stream, (text) => tell({ type: "model.reasoning", text })),
  };
  try {
    for await (const part of takeUntilAborted(() => model.stream(request), request.signal)) {
      if (part.type === "done") {
        const { parts, reason, usage } = part;
        return { parts, reason, usage, model };
      }
      if (part.type === "retry") {
        tell({ ...part, type: "model.retried", message: masker.text(part.message) });
        // What came before is said again.
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
  if (request.signal.aborted) return { cut: shown.text.whole() };
  throw new ToolError("MODEL_FAILED", "the model's answer ended before it was whole");
}

interface Shown {
  add(text: string): void;
  /** Nothing follows for now: what was held back is shown. */
  flush(): void;
  forget(): void;
  whole(): string;
}

/** Tells a text as it comes, masked also where a secret is cut by the borders of its pieces. */
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
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError("MODEL_FAILED", `the model failed: ${message}`, { cause: error });
}
