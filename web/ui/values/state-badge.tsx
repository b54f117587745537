import type { ReactNode } from "react";
import { Badge, type Tone } from "./badge.tsx";

/** The state of an agent. */
export function StateBadge({ state }: { readonly state: string }): ReactNode {
  const tones: Readonly<Record<string, Tone>> = {
    done: "ok",
    failed: "bad",
    waiting_for_approval: "warn",
    waiting_for_model: "info",
    executing_tools: "info",
  };
  return <Badge tone={tones[state] ?? "none"}>{state.replaceAll("_", " ")}</Badge>;
}
