import type { ReactNode } from "react";
import type { AnswerOf } from "../../src/app/http/api.ts";
import { Badge, type Tone } from "./bits.tsx";
import { durationOf } from "./format.ts";
import { useNow } from "./hooks.ts";

export type Call = AnswerOf<"calls">["calls"][number];
export type CallDetail = AnswerOf<"call">;
export type Verdict = NonNullable<CallDetail["verdict"]>;
export type Fact = CallDetail["facts"][number];
export type Result = NonNullable<CallDetail["result"]>;

/** Returns the state of a call as a word and its colour. */
export function outcomeOf({ state, outcome, startedAt, message }: Call): readonly [Tone, string] {
  if (state === "pending") return ["warn", "Suspended"];
  if (state === "interrupted") return ["bad", "Interrupted"];
  // Of a call that succeeded, the message says how its command failed.
  if (outcome === "ok") return message === null ? ["ok", "Done"] : ["bad", message.split(":", 1)[0] ?? ""];
  if (outcome === "DENIED") return ["warn", "Denied"];
  if (outcome === "CANCELLED") return ["none", "Cancelled"];
  if (outcome !== null) return ["bad", CODES[outcome] ?? outcome];
  return startedAt === null ? ["info", "Waiting"] : ["info", "Running"];
}

const CODES: Readonly<Record<string, string>> = {
  INVALID_INPUT: "Invalid input",
  TOOL_NOT_FOUND: "No such tool",
  TOOL_FAILED: "Failed",
  TOOL_TIMEOUT: "Timed out",
  TOOL_CRASHED: "Crashed",
  UNAVAILABLE: "Unavailable",
};

export function Outcome({ call }: { readonly call: Call }): ReactNode {
  const [tone, text] = outcomeOf(call);
  return <Badge tone={tone}>{text}</Badge>;
}

/** How long a call took, or has been running. */
export function Took({ call }: { readonly call: Call }): ReactNode {
  const isOpen = call.state === "open";
  const now = useNow(isOpen);
  if (call.durationMs !== null) return durationOf(call.durationMs);
  return isOpen ? durationOf(Math.max(0, now - call.receivedAt)) : "–";
}

export function RiskBadge({ risk }: { readonly risk: string | null | undefined }): ReactNode {
  if (risk === null || risk === undefined) return null;
  const tones: Readonly<Record<string, Tone>> = { low: "ok", medium: "warn", high: "bad" };
  return <Badge tone={tones[risk] ?? "none"}>{risk} risk</Badge>;
}

export function VerdictBadge({ kind }: { readonly kind: Verdict["kind"] }): ReactNode {
  const [tone, text] = (
    { allow: ["ok", "Allowed"], ask: ["warn", "Needs approval"], deny: ["bad", "Denied"] } as const
  )[kind];
  return <Badge tone={tone}>{text}</Badge>;
}

/** Everything that a call touches, one line each. */
export function TouchedList({ facts }: { readonly facts: readonly Fact[] }): ReactNode {
  if (facts.length === 0) return <span className="muted">nothing that policy knows of</span>;
  return (
    <ul className="list mono">
      {facts.map((fact, index) => (
        // oxlint-disable-next-line no-array-index-key -- the same fact can occur twice
        <li key={index}>{describeFact(fact)}</li>
      ))}
    </ul>
  );
}

function describeFact(fact: Fact): string {
  if (fact.kind === "path") return `${fact.access} ${fact.path}${fact.inode === undefined ? " (new)" : ""}`;
  if (fact.kind === "command") return `run ${fact.text} (in ${fact.cwd})`;
  return fact.kind === "host" ? `host ${fact.host}` : `MCP server ${fact.server}, tool ${fact.tool}`;
}

/** Returns a rule without what is not needed to understand it. */
export function describeRule(rule: object): string {
  const { exact, ...rest } = rule as { readonly exact?: boolean };
  return Object.entries(rest)
    .filter(([key]) => !["id", "match", "not_match", "reason", "decision"].includes(key))
    .map(
      ([key, value]) =>
        `${exact === true && key === "command" ? "exactly the " : ""}${key} ${describeValue(value)}`,
    )
    .join(", ");
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(" ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
