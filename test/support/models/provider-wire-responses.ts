import type { JsonObject } from "../../../src/core/json.ts";
import { events, pieces, type StreamedCall, type Wire } from "./provider-wire.ts";

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const openaiResponses: Wire = {
  id: "openai/gpt-5-mini",
  key: "OPENAI_API_KEY",
  path: "/v1/responses",
  stream: ({ reasoning, text, calls = [], reason }) => {
    const response = {
      id: "resp_67ccd2bed1ec8190b14f964abc054267",
      object: "response",
      created_at: 1_741_476_542,
      model: "gpt-5-mini-2025-08-07",
      error: null,
      incomplete_details: reason === undefined ? null : { reason },
      output: [],
    };
    const items = [
      ...(reasoning === undefined ? [] : [reasoningItem(reasoning)]),
      ...(text === undefined ? [] : [messageItem(text)]),
      ...calls.map(functionItem),
    ];
    const list = [
      { type: "response.created", response: { ...response, status: "in_progress", usage: null } },
      { type: "response.in_progress", response: { ...response, status: "in_progress", usage: null } },
      ...items.flatMap(({ added, deltas, done }, output_index) => [
        { type: "response.output_item.added", output_index, item: added },
        ...deltas.map((delta) => ({ ...delta, output_index, item_id: added["id"] ?? "" })),
        { type: "response.output_item.done", output_index, item: done },
      ]),
      {
        type: reason === undefined ? "response.completed" : "response.incomplete",
        response: {
          ...response,
          status: reason === undefined ? "completed" : "incomplete",
          usage: {
            input_tokens: 100,
            input_tokens_details: { cached_tokens: 75 },
            output_tokens: 15,
            output_tokens_details: { reasoning_tokens: 4 },
            total_tokens: 115,
          },
        },
      },
    ];
    return events(
      list.map((event, sequence_number) => ({ ...event, sequence_number })),
      { named: true },
    );
  },
  refusal: (message, word) => ({
    error: { message, type: "invalid_request_error", param: null, code: word },
  }),
};

interface Item {
  readonly added: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly done: JsonObject;
}

function reasoningItem(text: string): Item {
  const id = "rs_68af4030baa48193b0b43b4c2a176a1a0e6967589f080e77";
  const part = { type: "summary_text", text };
  return {
    added: { id, type: "reasoning", encrypted_content: "gAAAAABohalf", summary: [] },
    deltas: [
      {
        type: "response.reasoning_summary_part.added",
        summary_index: 0,
        part: { type: "summary_text", text: "" },
      },
      ...pieces(text).map((delta) => ({
        type: "response.reasoning_summary_text.delta",
        summary_index: 0,
        delta,
      })),
      { type: "response.reasoning_summary_text.done", summary_index: 0, text },
      { type: "response.reasoning_summary_part.done", summary_index: 0, part },
    ],
    done: { id, type: "reasoning", encrypted_content: "gAAAAABowhole", summary: [part] },
  };
}

function messageItem(text: string): Item {
  const id = "msg_67c9fdcf37fc8190ba82116e33fb28c507b8b0ad4e5eb654";
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  return {
    added: { id, type: "message", status: "in_progress", role: "assistant", content: [] },
    deltas: [
      { type: "response.content_part.added", content_index: 0, part: { ...part, text: "" } },
      ...pieces(text).map((delta) => ({
        type: "response.output_text.delta",
        content_index: 0,
        delta,
        logprobs: [],
        obfuscation: "Xk2",
      })),
      { type: "response.output_text.done", content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", content_index: 0, part },
    ],
    done: { id, type: "message", status: "completed", role: "assistant", content: [part] },
  };
}

function functionItem({ id: call_id, name, json }: StreamedCall): Item {
  const id = `fc_${call_id}`;
  return {
    added: { id, type: "function_call", status: "in_progress", arguments: "", call_id, name },
    deltas: [
      ...pieces(json).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
      { type: "response.function_call_arguments.done", arguments: json, name },
    ],
    done: { id, type: "function_call", status: "completed", arguments: json, call_id, name },
  };
}
