import type { JsonObject } from "../../src/core/json.ts";

/** An answer that a provider shall stream in its own way. */
export interface Streamed {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly StreamedCall[];
  /** As the provider words it; by default it stopped, or calls. */
  readonly reason?: string;
}

export interface StreamedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text, broken or not. */
  readonly json: string;
}

/** One provider: how it is named and reached, what it streams, and what it says when it refuses. */
export interface Wire {
  /** A model of it. */
  readonly id: string;
  readonly key: string | undefined;
  readonly path: string;
  stream(answer: Streamed): string;
  refusal(message: string, word: string): JsonObject;
}

/** The parts of a text, as a model would give it. */
function pieces(text: string): readonly string[] {
  return text.match(/.{1,5}/gsu) ?? [];
}

function events(list: readonly JsonObject[], named = false): string {
  return list
    .map((data) => `${named ? `event: ${String(data["type"])}\n` : ""}data: ${JSON.stringify(data)}\n\n`)
    .join("");
}

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
const anthropic: Wire = {
  id: "anthropic/claude-sonnet-4-5",
  key: "ANTHROPIC_API_KEY",
  path: "/v1/messages",
  stream: ({ reasoning, text, calls = [], reason }) => {
    const blocks: readonly (readonly [JsonObject, readonly JsonObject[]])[] = [
      ...(reasoning === undefined
        ? []
        : [
            [
              { type: "thinking", thinking: "", signature: "" },
              [
                ...pieces(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
                { type: "signature_delta", signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h" },
              ],
            ] as const,
          ]),
      ...(text === undefined
        ? []
        : [
            [
              { type: "text", text: "" },
              pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
            ] as const,
          ]),
      ...calls.map(
        ({ id, name, json }) =>
          [
            { type: "tool_use", id, name, input: {} },
            ["", ...pieces(json)].map((piece) => ({ type: "input_json_delta", partial_json: piece })),
          ] as const,
      ),
    ];
    return events(
      [
        {
          type: "message_start",
          message: {
            id: "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY",
            type: "message",
            role: "assistant",
            content: [],
            model: "claude-sonnet-4-5",
            stop_reason: null,
            stop_sequence: null,
            usage: {
              input_tokens: 25,
              cache_creation_input_tokens: 0,
              cache_read_input_tokens: 75,
              output_tokens: 1,
            },
          },
        },
        ...blocks.flatMap(([block, deltas], index) => [
          { type: "content_block_start", index, content_block: block },
          { type: "ping" },
          ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
          { type: "content_block_stop", index },
        ]),
        {
          type: "message_delta",
          delta: { stop_reason: reason ?? (calls.length > 0 ? "tool_use" : "end_turn"), stop_sequence: null },
          usage: { output_tokens: 15 },
        },
        { type: "message_stop" },
      ],
      true,
    );
  },
  refusal: (message, word) => ({
    type: "error",
    error: { type: word, message },
    request_id: "req_011CSHoEeqs5C35K2",
  }),
};

/** https://platform.openai.com/docs/api-reference/responses-streaming */
const openaiResponses: Wire = {
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
      true,
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

/** https://platform.openai.com/docs/api-reference/chat-streaming; `reasoning_content` is what vLLM and llama.cpp add. */
function chatStream({ reasoning, text, calls = [], reason }: Streamed): string {
  const base = {
    id: "chatcmpl-123",
    object: "chat.completion.chunk",
    created: 1_694_268_190,
    model: "gpt-4o-mini",
    system_fingerprint: "fp_44709d6fcb",
  };
  const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const list: readonly JsonObject[] = [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...pieces(reasoning ?? "").map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(text ?? "").map((content) => chunk({ content })),
    ...calls.flatMap(({ id, name, json }, index) => [
      chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...pieces(json).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, reason ?? (calls.length > 0 ? "tool_calls" : "stop")),
    {
      ...base,
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 15,
        total_tokens: 115,
        prompt_tokens_details: { cached_tokens: 75 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    },
  ];
  return `${events(list)}data: [DONE]\n\n`;
}

const chat: Pick<Wire, "path" | "stream" | "refusal"> = {
  path: "/v1/chat/completions",
  stream: chatStream,
  refusal: (message, word) => ({
    error: { message, type: "invalid_request_error", param: null, code: word },
  }),
};

/** https://ai.google.dev/api/generate-content: one whole response an event. */
const google: Wire = {
  id: "google/gemini-3-pro-preview",
  key: "GEMINI_API_KEY",
  path: "/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse",
  stream: ({ reasoning, text, calls = [], reason }) => {
    const parts = [
      ...pieces(reasoning ?? "").map((piece) => ({ text: piece, thought: true })),
      ...pieces(text ?? "").map((piece) => ({ text: piece })),
      // The first of several calls carries the signature.
      ...calls.map(({ id, name, json }, index) => ({
        functionCall: { id, name, args: JSON.parse(json) as JsonObject },
        ...(index === 0 && { thoughtSignature: "EjQKMgEMOdbHZHVt" }),
      })),
    ];
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 75,
      candidatesTokenCount: 11,
      thoughtsTokenCount: 4,
      totalTokenCount: 115,
    };
    const rest = { modelVersion: "gemini-3-pro-preview", responseId: "Il0taoSYJ5Cez7IP" };
    return events([
      ...parts.map((part) => ({
        candidates: [{ content: { role: "model", parts: [part] }, index: 0 }],
        usageMetadata,
        ...rest,
      })),
      {
        candidates: [
          { content: { role: "model", parts: [{ text: "" }] }, finishReason: reason ?? "STOP", index: 0 },
        ],
        usageMetadata,
        ...rest,
      },
    ]);
  },
  refusal: (message, word) => ({ error: { code: 400, message, status: word } }),
};

/** https://docs.ollama.com/api/chat: one JSON object a line. */
const ollama: Wire = {
  id: "ollama/qwen3:8b",
  key: undefined,
  path: "/api/chat",
  stream: ({ reasoning, text, calls = [], reason }) => {
    const base = { model: "qwen3:8b", created_at: "2025-07-07T20:22:19.184789Z" };
    const line = (message: JsonObject) => ({
      ...base,
      message: { role: "assistant", content: "", ...message },
      done: false,
    });
    const lines: readonly JsonObject[] = [
      ...pieces(reasoning ?? "").map((thinking) => line({ thinking })),
      ...pieces(text ?? "").map((content) => line({ content })),
      ...calls.map(({ id, name, json }, index) =>
        line({ tool_calls: [{ id, function: { index, name, arguments: JSON.parse(json) as JsonObject } }] }),
      ),
      {
        ...base,
        message: { role: "assistant", content: "" },
        done_reason: reason ?? "stop",
        done: true,
        total_duration: 182_242_375,
        load_duration: 41_295_167,
        prompt_eval_count: 100,
        prompt_eval_duration: 24_573_500,
        eval_count: 15,
        eval_duration: 105_754_000,
      },
    ];
    return lines.map((each) => `${JSON.stringify(each)}\n`).join("");
  },
  refusal: (message) => ({ error: message }),
};

/** Every provider that speaks a wire of its own, or another's. */
export const WIRES = {
  anthropic,
  openai: openaiResponses,
  "openai-chat": { ...chat, id: "openai-chat/gpt-4o-mini", key: "OPENAI_API_KEY" },
  google,
  ollama,
  compatible: { ...chat, id: "compatible/org/model:tag", key: undefined },
} as const satisfies Readonly<Record<string, Wire>>;
