import type { ToolCall } from "../core/call.ts";
import { ToolError } from "../core/errors.ts";
import { describeValue } from "../util/json/describe-value.ts";
import type { MessagesWithCalls, ProviderFormat } from "./provider-shapes.ts";
import { knownFormat } from "./tool-names.ts";

const FORMATS: {
  readonly [F in ProviderFormat]: (message: MessagesWithCalls[F]) => readonly ToolCall[];
} = {
  openai: (message) => {
    const { tool_calls: calls } = "choices" in message ? (message.choices[0]?.message ?? {}) : message;
    return (calls ?? []).flatMap(({ id, function: called }) =>
      called === undefined ? [] : [{ id: id ?? madeId(), name: called.name, input: called.arguments }],
    );
  },
  "openai-responses": ({ output }) =>
    output.flatMap(({ type, call_id: id, name, arguments: input }) =>
      type === "function_call" ? [{ id: id ?? madeId(), name: name ?? "", input }] : [],
    ),
  anthropic: ({ content }) =>
    content.flatMap(({ type, id, name, input }) =>
      type === "tool_use" ? [{ id: id ?? madeId(), name: name ?? "", input }] : [],
    ),
  google: (message) => {
    const content = "candidates" in message ? message.candidates?.[0]?.content : message;
    const parts = content !== undefined && "parts" in content ? (content.parts ?? []) : [];
    return parts.flatMap(({ functionCall: called }) =>
      called === undefined
        ? []
        : [{ id: called.id ?? madeId(), name: called.name ?? "", input: called.args ?? {} }],
    );
  },
  mcp: ({ params: { name, arguments: input = {} } }) => [{ id: madeId(), name, input }],
};

/** Returns the tool calls in a model's message, in order, for `engine.runAll`. A call without an id gets one. */
export function callsFrom<F extends ProviderFormat>(
  message: MessagesWithCalls[F],
  format: F,
): readonly ToolCall[] {
  const read = FORMATS[knownFormat(format)];
  try {
    return read(message);
  } catch (cause) {
    throw new ToolError(
      "INVALID_INPUT",
      `callsFrom: ${describeValue(message)} is not a message of ${format}`,
      {
        hint: "pass the response of the provider's SDK, or the message of one choice",
        cause,
      },
    );
  }
}

const MADE = "toolwright_";

function madeId(): string {
  return `${MADE}${globalThis.crypto.randomUUID()}`;
}

/** Returns whether the id was given to a call that had none. */
export function isMadeId(id: string): boolean {
  return id.startsWith(MADE);
}
