import type { JsonObject } from "../../../src/core/json.ts";
import { anthropic } from "./provider-wire-anthropic.ts";
import { openaiResponses } from "./provider-wire-responses.ts";
import { events, pieces, type Streamed, type Wire } from "./provider-wire.ts";

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
      // The first of several calls has the signature.
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

/** All wire formats, by provider. */
export const WIRES = {
  anthropic,
  openai: openaiResponses,
  "openai-chat": { ...chat, id: "openai-chat/gpt-4o-mini", key: "OPENAI_API_KEY" },
  google,
  ollama,
  compatible: { ...chat, id: "compatible/org/model:tag", key: undefined },
} as const satisfies Readonly<Record<string, Wire>>;
