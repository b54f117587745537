import { ToolError } from "../../core/errors.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { RunAllOptions } from "../../engine/types/options.ts";
import { callsFrom } from "../../formats/calls-from.ts";
import type { MessagesWithCalls, ProviderFormat, ProviderMessages } from "../../formats/provider-shapes.ts";
import { toProviderMessages } from "../../formats/to-provider-messages.ts";

/** The formats of chat APIs, whose requests have the whole conversation. */
export type ChatFormat = Exclude<ProviderFormat, "mcp">;

/** The part of a response that the next request repeats before the answers: with the calls also what the model thought. */
export type ModelTurn<F extends ChatFormat, M> = {
  /** The message of the first choice. */
  readonly openai: M extends { readonly choices: readonly { readonly message: infer Message }[] }
    ? Message
    : M;
  /** The items of the output that the next request repeats. */
  readonly "openai-responses": M extends { readonly output: readonly (infer Item)[] }
    ? Extract<Item, { readonly type: RepeatedItem }>
    : never;
  /** The whole content as one assistant message. */
  readonly anthropic: M extends { readonly content: infer Content }
    ? { readonly role: "assistant"; readonly content: Content }
    : never;
  /** The content of the first candidate. */
  readonly google: M extends { readonly candidates?: readonly (infer Candidate)[] | undefined }
    ? Candidate extends { readonly content?: infer Content }
      ? NonNullable<Content>
      : never
    : M;
}[F];

type RepeatedItem = "reasoning" | "message" | "function_call";

const REPEATED: ReadonlySet<unknown> = new Set<RepeatedItem>(["reasoning", "message", "function_call"]);

const TURNS: { readonly [F in ChatFormat]: (message: MessagesWithCalls[F]) => readonly unknown[] } = {
  openai: (message) =>
    "choices" in message ? message.choices.slice(0, 1).map((one) => one.message) : [message],
  // A model that reasons refuses calls without the reasoning items before them.
  "openai-responses": ({ output }) => output.filter(({ type }) => REPEATED.has(type)),
  anthropic: ({ content }) => [{ role: "assistant", content }],
  google: (message) => ("candidates" in message ? [message.candidates?.[0]?.content] : [message]),
};

/**
 * Runs the tool calls of a model's response and returns what to append to the conversation: the model's own turn, with its calls and
 * reasoning, then the answers. Returns an empty list if the response has no calls, which ends the loop. Never rejects for a failed call.
 * A call that returns when it needs approval has no answer yet, so that this option is refused before a call runs.
 */
export async function answerCalls<F extends ChatFormat, M extends MessagesWithCalls[F]>(
  engine: Pick<Engine, "runAll">,
  message: M,
  format: F,
  options?: RunAllOptions,
): Promise<(ModelTurn<F, M> | ProviderMessages[F])[]> {
  if (options !== undefined && "whenAsked" in options && (options.whenAsked as string) === "return")
    throw new ToolError("INVALID_INPUT", 'answerCalls cannot be used with whenAsked: "return"', {
      hint: "use callsFrom, engine.runAll and, once each call has an answer, toProviderMessages",
    });
  const calls = callsFrom(message, format);
  if (calls.length === 0) return [];
  const turn = TURNS[format](message) as readonly ModelTurn<F, M>[];
  return [...turn, ...toProviderMessages(await engine.runAll(calls, options), format)];
}
