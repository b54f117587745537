import { randomUUID } from "node:crypto";
import type { ToolCall } from "../../core/call.ts";
import type { AssistantPart } from "../../core/agent/message.ts";
import type { StopReason } from "../../core/agent/model.ts";

/**
 * What a model said, as it can be kept and sent to any provider: without empty pieces, each call under an id that was not taken. A call
 * that may be only the first half of what was meant is unreadable, so that it is answered and never run.
 */
export function tidyParts(
  parts: readonly AssistantPart[],
  reason: StopReason,
  taken: ReadonlySet<string>,
): readonly AssistantPart[] {
  const ids = new Set(taken);
  const said = parts.filter(
    (part) => part.type === "call" || part.text.trim() !== "" || part.opaque !== undefined,
  );
  return said.map((part, index) => {
    if (part.type !== "call") return part;
    const isLast = index === said.length - 1;
    return { ...part, call: withReason(withId(part.call, ids), reason, isLast) };
  });
}

/** Some models number their calls anew in every message, or not at all. */
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
