import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { Rule } from "./rule.ts";
import type { Risk } from "./spec.ts";

/** What a running tool asks in the middle of its run. */
export interface Question {
  readonly text: string;
  readonly details?: JsonObject;
}

/** What an approver is shown. `hash` binds an approval to the tool's identity and final input. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly input: JsonObject;
  readonly facts: readonly Fact[];
  readonly reason: string;
  readonly hash: string;
  readonly session?: string;
  /** What "always" would save; left out where it is not offered, then `ungrantable` may say why. */
  readonly grant?: Rule;
  readonly ungrantable?: string;
  /** Set when a running tool asks in the middle of its run. */
  readonly question?: Question;
}

export type Approval =
  | {
      readonly approved: true;
      readonly scope: "once" | "session" | "always";
      /** In place of the call's own input; it is checked and judged again. */
      readonly input?: JsonObject;
    }
  | {
      readonly approved: false;
      readonly reason: string;
      readonly hint?: string;
      /** Nobody said no: whoever was asked went away. */
      readonly dismissed?: true;
    };

/** Asks someone who may say yes. It should settle when the signal is aborted. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
}
