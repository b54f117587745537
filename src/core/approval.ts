import type { Decision, Rule } from "./rule.ts";
import type { Fact } from "./fact.ts";
import type { JsonObject } from "./json.ts";
import type { GrantOffer, GrantScope } from "./grant.ts";
import type { Risk } from "./spec.ts";
import type { Approvers, Subject } from "./subject.ts";

/** A question of a running tool. */
export interface Question {
  readonly text: string;
  readonly details?: JsonObject;
}

/** A call that an approved call would make. */
export interface InnerRequest {
  readonly tool: string;
  readonly input: unknown;
  readonly facts: readonly Fact[];
  /** `ask`: the approval covers it, unless `isAskedAgain`; `allow` and `deny` are decided without one. */
  readonly decision: Decision;
  /** True if the call needs approval every time and gets a question of its own. */
  readonly isAskedAgain?: boolean;
  readonly reason: string;
}

/** A call that needs approval. `hash` binds an approval to the tool's identity and final input. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly input: JsonObject;
  readonly facts: readonly Fact[];
  readonly reason: string;
  /** Set if no rule asks: the approval mode does, about every such call. */
  readonly isByMode?: true;
  readonly hash: string;
  /** The hash of what the tool said of itself: an approval does not count for a tool that has changed since. */
  readonly definition?: string;
  /** The folder to which paths are shown as relative; absent: they are shown as absolute. */
  readonly folder?: string;
  readonly session?: string;
  /** The user on whose behalf the call runs. */
  readonly subject?: string;
  /** The id of the call whose tool made this call. */
  readonly parentId?: string;
  /** The rule that "always" would save; absent if it is not offered, then `ungrantable` may say why. */
  readonly grant?: Rule;
  /** Why "always" is not offered. */
  readonly ungrantable?: string;
  /** Wider rules that the approver may choose, by index. */
  readonly offers?: readonly GrantOffer[];
  /** Who must approve, of each rule that names some; all of these must be met. */
  readonly approvers?: readonly Approvers[];
  /** The calls that this call would make: approving it approves those that ask and are not asked again. */
  readonly calls?: readonly InnerRequest[];
  /** Set if a running tool asks. */
  readonly question?: Question;
}

/** The decision on a call that needs approval; `by` names the approver for the journal. */
export type Approval = { readonly by?: string } & (
  | {
      readonly approved: true;
      readonly scope: "once" | GrantScope;
      /** The people who approved, as the program has identified them: a call whose rules name its approvers runs only if these are enough. */
      readonly approvers?: readonly Subject[];
      /** The index of the offer to save instead of the narrowest rule; its scope counts. */
      readonly offer?: number;
      /** Replaces the call's input; it is checked and judged again. */
      readonly input?: JsonObject;
    }
  | {
      readonly approved: false;
      readonly reason: string;
      readonly hint?: string;
      /** A person declined the call, and the reason is theirs. */
      readonly declined?: true;
      /** Not a refusal: the approver went away without an answer. */
      readonly dismissed?: true;
    }
);

/** A call that waits for a decision, with which `engine.resume` runs it in any process. It is not an answer. */
export interface PendingCall {
  readonly pending: true;
  readonly callId: string;
  readonly name: string;
  /** Gives its bearer the right to decide. */
  readonly token: string;
  /** What to show to the person who decides; without secrets. */
  readonly request: ApprovalRequest;
}

/** Approves or refuses calls. It should settle when the signal is aborted. */
export interface Approver {
  /** Returns the decision; an exception refuses the call. */
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Approval>;
  /** Returns what to do about a request that was not answered in time. */
  hint?(request: ApprovalRequest): string | undefined;
}
