import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Rule } from "./rule.ts";
import type { Risk } from "./spec.ts";

/** A question of a running tool. */
export interface Question {
  readonly text: string;
  readonly details?: JsonObject;
}

/** A call that needs approval. `hash` binds an approval to the tool's identity and final input. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly input: JsonObject;
  readonly facts: readonly Fact[];
  readonly reason: string;
  readonly hash: string;
  readonly session?: string;
  /** The rule that "always" would save; absent if it is not offered, then `ungrantable` may say why. */
  readonly grant?: Rule;
  readonly ungrantable?: string;
  /** Set if a running tool asks. */
  readonly question?: Question;
}

export type Approval =
  | {
      readonly approved: true;
      readonly scope: "once" | "session" | "always";
      /** Replaces the call's input; it is checked and judged again. */
      readonly input?: JsonObject;
    }
  | {
      readonly approved: false;
      readonly reason: string;
      readonly hint?: string;
      /** Not a refusal: the approver went away without an answer. */
      readonly dismissed?: true;
    };

/** Approves or refuses calls. It should settle when the signal is aborted. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
  /** Returns what to do about a request that was not answered in time. */
  hint?(request: ApprovalRequest): string | undefined;
}
