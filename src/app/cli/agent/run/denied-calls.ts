import type { AgentEvent } from "../../../../agent/runtime/agent-events.ts";
import type { EngineEvent } from "../../../../core/events.ts";
import { isObject, type Json } from "../../../../core/json.ts";
import type { Verdict } from "../../../../core/verdict.ts";
import { quoteWord } from "../../../host/approvals/describe-fact.ts";

/** A call that was denied, for programs. */
export interface DeniedCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Json;
  readonly reason: string;
  /** The id of the rule that decided. */
  readonly rule?: Json | undefined;
  /** The flag that allows it; absent if no flag does, as for what a rule denies. */
  readonly allowWith?: string;
}

type Seen = Pick<DeniedCall, "name" | "input"> & { readonly verdict?: Verdict };

/** Collects the calls that were denied, in the order of their answers. */
export function createDeniedCalls() {
  const open = new Map<string, Seen>();
  const denied: DeniedCall[] = [];
  return {
    hear(event: EngineEvent | AgentEvent): void {
      if (event.type === "call.received") open.set(event.callId, { name: event.name, input: event.input });
      if (event.type === "call.judged") {
        const seen = open.get(event.callId);
        if (seen !== undefined) open.set(event.callId, { ...seen, verdict: event.verdict });
      }
      if (event.type !== "call.answered") return;
      const { callId, result } = event;
      const seen = open.get(callId) ?? { name: result.name, input: null };
      open.delete(callId);
      if (result.ok || result.error.code !== "DENIED") return;
      const { message: reason, details } = result.error;
      const flag = seen.verdict?.kind === "ask" ? allowingFlag(seen, seen.verdict) : undefined;
      denied.push({
        callId,
        name: seen.name,
        input: seen.input,
        reason,
        rule: details?.["rule"],
        ...(flag !== undefined && { allowWith: flag }),
      });
    },
    list: (): readonly DeniedCall[] => denied,
  };
}

/** Returns the narrowest flag with which a call that needs approval runs in the next task. */
function allowingFlag(
  { name, input }: Seen,
  { grant: narrowest, ungrantable, offers = [] }: Verdict,
): string {
  // What runs code of the project, such as `npm test`, is only offered.
  const offer = offers.find(({ rule }) => rule.command !== undefined && rule.exact === true);
  const grant = offer?.rule ?? (ungrantable === undefined ? narrowest : undefined);
  if (grant === undefined) return "--yes";
  if (grant.command === undefined)
    return grant.path === undefined ? `--allow ${quoteWord(name)}` : "--mode edits";
  const command = isObject(input) && typeof input["command"] === "string" ? input["command"] : undefined;
  return command === undefined ? "--yes" : `--allow ${quoteWord(command)}`;
}

/** Returns the flags that would have allowed the denied calls, each once; empty if no flag allows one of them. */
export function flagsFor(denied: readonly DeniedCall[]): readonly string[] {
  return [...new Set(denied.flatMap(({ allowWith }) => allowWith ?? []))];
}
