import { isObject } from "../../core/json.ts";
import type { Message } from "../../core/agent/message.ts";
import { ACTIVATE_TOOLS } from "../../tools/about/activate-tools.ts";
import type { ModelTool } from "../../core/agent/model.ts";

/** A tool in a model's format, and its own name. */
export interface ShownTool {
  readonly own: string;
  readonly tool: ModelTool;
}

/** Marks the tools of a request that the model activated itself. */
export type ToolOrigins = ReturnType<typeof createToolOrigins>;

/** Creates the record of a conversation of how each tool came into it. The tools of its first request were there from the beginning. */
export function createToolOrigins() {
  const origins = new Map<string, string | undefined>();
  let isFirst = true;
  return (shown: readonly ShownTool[], messages: readonly Message[]): readonly ShownTool[] => {
    for (const { own } of shown)
      if (!origins.has(own)) origins.set(own, isFirst ? undefined : activatingCall(own, messages));
    isFirst = false;
    const answered = new Set(messages.flatMap(idsOfResults));
    return shown.map(({ own, tool }) => {
      const since = origins.get(own);
      // A call that is no longer in the messages cannot bring a tool.
      return since === undefined || !answered.has(since) ? { own, tool } : { own, tool: { ...tool, since } };
    });
  };
}

/** Returns the call of the last results that activated a tool. */
function activatingCall(own: string, messages: readonly Message[]): string | undefined {
  const last = messages.findLast(({ role }) => role === "tool");
  if (last?.role !== "tool") return undefined;
  return last.results.find((result) => {
    if (!result.ok || result.name !== ACTIVATE_TOOLS.name || !isObject(result.data)) return false;
    const { tools } = result.data;
    return Array.isArray(tools) && tools.includes(own);
  })?.callId;
}

function idsOfResults(message: Message): readonly string[] {
  return message.role === "tool" ? message.results.map(({ callId }) => callId) : [];
}
