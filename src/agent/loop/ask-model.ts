import { ToolError } from "../../core/errors.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import type { AgentRuntime, Task } from "../runtime/agent-runtime.ts";
import { buildRequest, modelTools } from "./build-request.ts";
import { compactSession, isTooLong } from "./compact-session.ts";
import type { Model, ModelPart, ModelRequest } from "../../core/agent/model.ts";
import type { MaskedStream } from "../../secrets/mask.ts";
import type { Tool } from "../../core/tool.ts";
import { attempt } from "../../util/async/attempt.ts";
import { takeUntilAborted } from "../../util/async/take-until-aborted.ts";
import { errorMessage } from "../../util/text/error-message.ts";

/** The sizes to try after the provider has rejected a request as too long, as shares of the rejected one. */
const SHARES = [0.5, 0.25] as const;

/** Requests the model's next message; compacts the conversation if it does not fit the window. */
export async function askModel(task: Task): Promise<Answer | PartialAnswer> {
  const { agent } = task;
  let request = await buildRequest(task);
  const model = agent.model();
  if (isTooLong(request, model, task) && (await compactSession(task))) request = await buildRequest(task);
  for (const share of SHARES) {
    try {
      return await streamAnswer(agent, request);
    } catch (error) {
      // Our count is an estimate; only the provider's counts.
      const isRejected = error instanceof ToolError && error.code === "WINDOW_FULL";
      const targetTokens = estimateTokens(request) * share;
      if (!isRejected || !(await compactSession(task, targetTokens))) throw error;
      request = await buildRequest(task);
    }
  }
  return streamAnswer(agent, request);
}

/** A complete answer and its model. */
export type Answer = Omit<Extract<ModelPart, { readonly type: "done" }>, "type"> & { readonly model: Model };

type InputPart = Extract<ModelPart, { readonly type: "input" }>;

/** The text that had arrived when the request was aborted. */
interface PartialAnswer {
  readonly partialText: string;
}

/** Requests an answer and emits its text as it arrives. Throws if the model fails; an abort by the request's signal is not a failure. */
async function streamAnswer(agent: AgentRuntime, request: ModelRequest): Promise<Answer | PartialAnswer> {
  const { options, emit } = agent;
  const { masker } = options.engine;
  const model = agent.model();
  const passInput = inputReceiver(agent);
  const output = {
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
        output.text.forget();
        output.reasoning.forget();
        continue;
      }
      if (part.type === "input") {
        passInput(part);
        continue;
      }
      output[part.type === "text" ? "reasoning" : "text"].flush();
      output[part.type].add(part.text);
    }
  } catch (error) {
    if (!request.signal.aborted) throw toModelError(error);
  } finally {
    output.reasoning.flush();
    output.text.flush();
  }
  if (request.signal.aborted) return { partialText: output.text.whole() };
  throw new ToolError("MODEL_FAILED", "the model's answer ended before it was complete");
}

/** Returns a function that gives pieces of inputs to their tools, whose exceptions are dropped. */
function inputReceiver({ options, model, session }: AgentRuntime): (part: InputPart) => void {
  const { engine } = options;
  let tools: ReadonlyMap<string, Tool | undefined> | undefined;
  return ({ callId, name, text }) => {
    tools ??= new Map(
      modelTools(engine, model().format, { session: session.id }).map(({ own, tool }) => [
        tool.name,
        engine.get(own),
      ]),
    );
    attempt(() => tools?.get(name)?.onInput?.({ callId, session: session.id, text }));
  };
}

/** Emits text as it arrives; masks secrets that are split between pieces too. */
function createShown(open: () => MaskedStream, show: (text: string) => void) {
  let stream: MaskedStream | undefined;
  let whole = "";
  return {
    add(text: string) {
      stream ??= open();
      whole += text;
      for (const piece of stream.push(text)) show(piece);
    },
    /** Emits text that was held back for masking. */
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
  return new ToolError("MODEL_FAILED", `the model failed: ${errorMessage(error)}`, { cause: error });
}
