import type { ToolCall } from "../../../src/core/call.ts";
import type { AssistantPart } from "../../../src/core/agent/message.ts";
import type { Model, ModelPart, ModelRequest, StopReason, Usage } from "../../../src/core/agent/model.ts";

/** One answer of a fake model. */
export interface FakeAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (Omit<ToolCall, "id"> & { readonly id?: string })[];
  readonly reason?: StopReason;
  readonly usage?: Usage;
}

export interface FakeModel extends Model {
  /** The requests, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Creates a model whose answers come from a function; it throws what the function throws. */
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
      const given = await answer(request, index);
      request.signal.throwIfAborted();
      if (given.reasoning !== undefined) yield { type: "reasoning", text: given.reasoning };
      if (given.text !== undefined) yield { type: "text", text: given.text };
      const parts = partsOf(given, index);
      const calls = parts.some(({ type }) => type === "call");
      yield {
        type: "done",
        parts,
        reason: given.reason ?? (calls ? "calls" : "stop"),
        usage: given.usage ?? { inputTokens: 10, outputTokens: 5 },
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
