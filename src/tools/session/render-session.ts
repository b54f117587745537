import type { ToolList } from "../../core/session/active-tools.ts";
import type { Conversation } from "../../core/agent/conversation.ts";
import { describeActive } from "../about/describe-active.ts";

export interface SessionState {
  readonly conversation: Conversation;
  readonly active: ToolList;
  readonly session: string;
  readonly at: Date;
}

/** Renders a session as Markdown. Messages are quoted, so that no text in them can look like a heading. */
export function renderSession({ conversation, active, session, at }: SessionState): string {
  const messages = conversation
    .messages()
    .flatMap(({ role, text }, index) => [`### ${index + 1}. ${role}`, "", quoted(text), ""]);
  return [
    "# Session dump",
    "",
    `Session ${session}, ${at.toISOString()}`,
    "",
    ...section("Goals", conversation.goals()),
    ...section("Decisions", conversation.decisions()),
    ...section("Active tools", describeActive(active).lines),
    "## Messages",
    "",
    ...(messages.length > 0 ? messages : ["none", ""]),
  ].join("\n");
}

function section(title: string, items: readonly string[]): readonly string[] {
  const lines = items.length > 0 ? items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`) : ["none"];
  return [`## ${title}`, "", ...lines, ""];
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
