import type { JsonObject } from "../../../src/core/json.ts";
import { events, pieces, type Wire } from "./provider-wire.ts";

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const anthropic: Wire = {
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
      { named: true },
    );
  },
  refusal: (message, word) => ({
    type: "error",
    error: { type: word, message },
    request_id: "req_011CSHoEeqs5C35K2",
  }),
};
