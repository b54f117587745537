import type { ToolCall } from "../../src/core/call.ts";
import type { AssistantPart } from "../../src/core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, StopReason, Usage } from "../../src/core/agent/model.ts";

/** One answer of a model that is told what to say. */
export interface FakeAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (Omit<ToolCall, "id"> & { readonly id?: string })[];
  readonly reason?: StopReason;
  readonly usage?: Usage;
}

export interface FakeModel extends Model {
  /** What it was asked, in order. */
  readonly requests: readonly ModelRequest[];
}

/** A model that says what a function makes of each request; what the function throws, it throws. */
export function fakeModel(
  answer: (request: ModelRequest, index: number) => FakeAnswer | Promise<FakeAnswer>,
  { window = 100_000, price }: { readonly window?: number; readonly price?: Model["price"] } = {},
): FakeModel {
  const requests: ModelRequest[] = [];
  return {
    id: "fake/model",
    format: "openai",
    window,
    price,
    requests,
    async *stream(request): AsyncIterable<ModelPart> {
      const index = requests.push(request) - 1;
      const told = await answer(request, index);
      request.signal.throwIfAborted();
      if (told.reasoning !== undefined) yield { type: "reasoning", text: told.reasoning };
      if (told.text !== undefined) yield { type: "text", text: told.text };
      const parts = partsOf(told, index);
      const calls = parts.some(({ type }) => type === "call");
      yield {
        type: "done",
        parts,
        reason: told.reason ?? (calls ? "calls" : "stop"),
        usage: told.usage ?? { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}

function partsOf({ reasoning, text, calls = [] }: FakeAnswer, index: number): readonly AssistantPart[] {
  return [
    ...(reasoning === undefined ? [] : [{ type: "reasoning", text: reasoning } as const]),
    ...(text === undefined ? [] : [{ type: "text", text } as const]),
    ...calls.map(
      (call, place) =>
        ({ type: "call", call: { ...call, id: call.id ?? `call-${index}-${place}` } }) as const,
    ),
  ];
}
