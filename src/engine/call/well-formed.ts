import type { ToolCall } from "../../core/call.ts";
import { describeValue } from "../../util/json/describe-value.ts";

/** What other formats call the input of a call. */
const OTHER_NAMES = ["arguments", "args", "parameters", "params"] as const;

/** Returns a call that the pipeline can answer: with an id, and unreadable if it has no name, or its input is under another name. */
export function wellFormed(call: ToolCall): ToolCall {
  const isWhole =
    typeof call?.name === "string" &&
    typeof call.id === "string" &&
    call.name.length <= MAX_NAME &&
    call.id.length <= MAX_NAME;
  return isWhole && (call.input ?? null) !== null ? call : complete(call);
}

/** A longer name or id, which no tool and no provider has, is cut: answers, events and the journal repeat it. */
const MAX_NAME = 1000;

function complete(given: unknown): ToolCall {
  const call = (typeof given === "object" && given !== null ? given : {}) as Readonly<
    Record<string, unknown>
  >;
  const { id, name, input } = call;
  const isNamed = typeof name === "string";
  const own: ToolCall = {
    id:
      typeof id === "string" || typeof id === "number"
        ? String(id).slice(0, MAX_NAME)
        : globalThis.crypto.randomUUID(),
    name: isNamed ? name.slice(0, MAX_NAME) : "",
    input: input ?? null,
  };
  if (call !== given)
    return { ...own, unreadable: `a call is {"id", "name", "input"}, not ${describeValue(given)}` };
  if (typeof call["unreadable"] === "string") return { ...own, unreadable: call["unreadable"] };
  const other = OTHER_NAMES.find((key) => call[key] !== undefined);
  // Without its input, the call could do something that was not intended.
  if (isNamed && other === undefined) return own;
  const why = isNamed
    ? `the call has "${other}" instead of "input": rename it`
    : 'the call has no "name"; callsFrom reads the calls in a message of a provider';
  return { ...own, unreadable: why };
}
