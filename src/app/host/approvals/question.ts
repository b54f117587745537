import type { Approval } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Risk } from "../../../core/spec.ts";

/** Stands for a tool in what Toolwright itself asks. */
export const OWN_QUESTION = "toolwright";

/** What a person is asked about a call. No text has hidden characters, so every program can show it as it is. */
export interface ApprovalQuestion {
  /** `Edit src/sum.ts  +1 −1`, `Run npm publish`. */
  readonly heading: string;
  readonly tool: string;
  /** Absent if a running tool asks. */
  readonly risk?: Risk;
  readonly reason: string;
  /** True if the reason says no more than that the approval mode asks about such calls. */
  readonly isUsual: boolean;
  readonly view: QuestionView;
  /** The folder to which paths in the texts are relative; absent if there are none. */
  readonly folder?: string;
  /** The whole input, as indented JSON. */
  readonly input: string;
  readonly touches: readonly Touched[];
  /** The calls that the call would make. */
  readonly inner: readonly InnerCall[];
  /** The possible answers; the last one denies. */
  readonly choices: readonly Choice[];
  /** Why the call can be allowed only once. */
  readonly onlyOnce?: string;
  /** True if the call may be approved with another input. */
  readonly isEditable: boolean;
  /** True if a denial may have a reason, which its caller reads. */
  readonly takesReason: boolean;
  /** The form that a running tool wants filled in. */
  readonly form?: JsonObject;
}

/** What the call would do, in its best form. */
export type QuestionView =
  | { readonly kind: "diff"; readonly diff: string }
  | {
      readonly kind: "command";
      readonly command: string;
      readonly folder: string;
      readonly programs: readonly string[];
    }
  /** A running tool asks: the reason is the question. */
  | { readonly kind: "question"; readonly details: string | null }
  /** Nothing better than the input. */
  | { readonly kind: "input" };

export interface InnerCall {
  readonly tool: string;
  /** What decides about it: `runs anyway`. */
  readonly decided: string;
  readonly reason: string;
  readonly touches: readonly Touched[];
}

/** One possible answer. */
export interface Choice {
  /** `once`, `session`, `always`, the number of a wider rule, `yes` or `no`. */
  readonly id: string;
  /** Chooses it where keys are pressed. */
  readonly key: string;
  /** For a row of keys: `yes, once`. */
  readonly brief: string;
  /** For a button: `Always allow exactly the command git push`. */
  readonly label: string;
  /** The rule that it saves. */
  readonly saves?: string;
  /** What a person must know before choosing it. */
  readonly warning?: string;
  readonly approval: Approval;
}

/** One thing that a call would touch, as text without hidden characters. */
export interface Touched {
  readonly text: string;
  /** Of a command: one line for each program that it would run. */
  readonly programs: readonly string[];
}

/** What a person may add to a choice. */
export interface AnswerExtra {
  /** Approves the call with this input, or fills in the form. */
  readonly input?: JsonObject | undefined;
  /** Tells the caller why the call is denied. */
  readonly reason?: string | undefined;
}
