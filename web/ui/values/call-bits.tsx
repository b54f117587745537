import type { ReactNode } from "react";
import type { AnswerOf } from "../../../src/app/http/api.ts";
import { Badge, type Tone } from "./badge.tsx";
import { durationOf } from "./format.ts";
import { useNow } from "../address/hooks.ts";

export type Call = AnswerOf<"calls">["calls"][number];
export type CallDetail = AnswerOf<"call">;
export type Verdict = NonNullable<CallDetail["verdict"]>;
export type Touched = CallDetail["touches"][number];
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
  const now = useNow(1000, { isNeeded: isOpen });
  const took = call.durationMs ?? (isOpen ? Math.max(0, now - call.receivedAt) : undefined);
  return <>{took === undefined ? "–" : durationOf(took)}</>;
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
export function TouchedList({ touches }: { readonly touches: readonly Touched[] }): ReactNode {
  if (touches.length === 0) return <span className="muted">nothing that policy knows of</span>;
  return (
    <ul className="list mono">
      {touches.map(({ text }, index) => (
        // oxlint-disable-next-line no-array-index-key -- the same fact can occur twice
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}
