import { conversationOf } from "../../../agent/sessions/conversation-of.ts";
import type { Entry, SessionInfo } from "../../../agent/sessions/transcript.ts";
import type { Message } from "../../../core/agent/message.ts";
import { timeOf, alignRows } from "./align-rows.ts";
import { contentText } from "../../../util/text/content-text.ts";
import { visibleLine } from "../../../util/text/visible.ts";

/** Returns a session for a terminal: its facts, and one line for each entry. */
export function sessionPage(
  info: SessionInfo,
  entries: readonly Entry[],
  columns: number | undefined,
): string {
  const { usage, calls } = conversationOf(entries);
  const cost = usage.cost === undefined ? "" : `, cost ${usage.cost.toFixed(4)}`;
  const facts: readonly (readonly [string, string])[] = [
    ["session", info.id],
    ["about", info.title === "" ? "-" : info.title],
    ["agent", info.agent.name],
    ["workspace", info.workspace],
    ["model", info.model],
    ["state", info.state],
    ["begun", timeOf(info.createdAt)],
    ["last used", timeOf(info.updatedAt)],
    ["spent", `${info.turns} turns, ${calls} calls, ${usage.inputTokens + usage.outputTokens} tokens${cost}`],
    ...(info.forkedFrom === undefined
      ? []
      : [["forked from", `${info.forkedFrom.session} at ${info.forkedFrom.seq}`] as const]),
  ];
  const rows = entries.flatMap((entry) =>
    rowsOf(entry).map(([who, text]) => [String(entry.seq), who, visibleLine(text)]),
  );
  return `${alignRows(facts.map(([name, value]) => [name, visibleLine(value)]))}\n${alignRows(rows, columns)}`;
}

type Row = readonly [who: string, text: string];

function rowsOf(entry: Entry): readonly Row[] {
  if (entry.kind === "message") return messageRows(entry.message);
  if (entry.kind === "compaction") return [["summary", `of what is before ${entry.keptFrom}`]];
  if (entry.kind === "instructions")
    return [["instructions", entry.parts.map(({ name }) => name).join(", ")]];
  if (entry.kind === "command") return [["command", entry.text]];
  if (entry.kind === "state" && entry.state === "failed") return [["failed", entry.reason ?? ""]];
  return [];
}

function messageRows(message: Message): readonly Row[] {
  if (message.role === "user") return [[message.from?.name ?? "person", contentText(message.content, " ")]];
  if (message.role === "tool")
    return message.results.map((result) => [
      result.ok ? "✓" : "✗",
      `${result.name}: ${result.ok ? contentText(result.content, " ") : `${result.error.code}: ${result.error.message}`}`,
    ]);
  return message.parts.flatMap((part): readonly Row[] => {
    if (part.type === "reasoning") return [];
    if (part.type === "text") return [["agent", part.text]];
    return [["→", `${part.call.name} ${JSON.stringify(part.call.input) ?? ""}`]];
  });
}
