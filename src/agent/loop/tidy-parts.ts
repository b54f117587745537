import { randomUUID } from "node:crypto";
import type { ToolCall } from "../../core/call.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import type { StopReason } from "../../core/agent/model.ts";

/**
 * Makes an answer valid for every provider: drops empty parts and gives each call an unused id. Marks a call that may be incomplete
 * as unreadable, so that it is answered and never run.
 */
export function tidyParts(
  parts: readonly AssistantPart[],
  reason: StopReason,
  taken: ReadonlySet<string>,
): readonly AssistantPart[] {
  const ids = new Set(taken);
  const nonEmptyParts = parts.filter(
    (part) => part.type === "call" || part.text.trim() !== "" || part.opaque !== undefined,
  );
  return nonEmptyParts.map((part, index) => {
    if (part.type !== "call") return part;
    const isLast = index === nonEmptyParts.length - 1;
    return { ...part, call: withReason(withId(part.call, ids), reason, isLast) };
  });
}

/** Some models reuse call ids in every message, or send none. */
function withId(call: ToolCall, ids: Set<string>): ToolCall {
  const id =
    call.id === "" || ids.has(call.id) ? `call_${randomUUID().replaceAll("-", "").slice(0, 24)}` : call.id;
  ids.add(id);
  return id === call.id ? call : { ...call, id };
}

function withReason(call: ToolCall, reason: StopReason, isLast: boolean): ToolCall {
  if (call.unreadable !== undefined) return call;
  if (reason === "length" && isLast)
    return {
      ...call,
      unreadable: "the answer was cut at its length limit, in the middle of this call: it was not run",
    };
  if (reason === "refused")
    return { ...call, unreadable: "the provider broke off the answer: the call was not run" };
  return call;
}
