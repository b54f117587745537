import type { ContextPart, ContextUse } from "../../../agent/runtime/running-agent.ts";
import { visible } from "../../../util/text/visible.ts";
import { alignRows } from "../../terminal/print/align-rows.ts";
import { thousands } from "../state/describe-spent.ts";

const KINDS = { prompt: "system prompt", tools: "tools", messages: "messages" } as const;
/** The names of messages, as a person would call them. */
const MESSAGES: Readonly<Record<string, string>> = {
  user: "your messages",
  assistant: "answers of the model",
  results: "results of calls",
  attachments: "images and files",
  summary: "summary of earlier messages",
};

/** Returns what takes how much of a model's window, one row for each part. */
export function describeContext({ parts, countedTokens }: ContextUse, window: number): string {
  const row = (label: string, tokens: number): readonly string[] => [
    label,
    `${thousands(tokens)} tokens`,
    `${Math.round((100 * tokens) / window)} %`,
  ];
  const rows = Object.entries(KINDS).flatMap(([kind, label]) => {
    const own = parts.filter((part) => part.kind === kind);
    return own.length === 0
      ? []
      : [row(label, sizeOf(own)), ...own.map((part) => row(`  ${labelOf(part)}`, part.tokens))];
  });
  const counted =
    countedTokens === undefined
      ? ""
      : `; the provider counted ${thousands(countedTokens)} for the last request`;
  return (
    `about ${thousands(window)} tokens fit${counted}\n` +
    alignRows([...rows, row("free", Math.max(0, window - (countedTokens ?? sizeOf(parts))))]) +
    "the parts are estimates, up to a half higher than what providers count\n" +
    "/compact makes room, /clear starts anew\n"
  );
}

function labelOf({ kind, name, count }: ContextPart): string {
  if (kind === "prompt") return visible(name);
  const label = kind === "messages" ? (MESSAGES[name] ?? name) : visible(name);
  return `${label} (${count})`;
}

function sizeOf(parts: readonly ContextPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}
