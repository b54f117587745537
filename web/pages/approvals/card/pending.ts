import type { AnswerOf, BodyOf } from "../../../../src/app/http/api.ts";

/** A call that waits for approval, and the question about it. */
export type Pending = AnswerOf<"approvals">["approvals"][number];
export type Question = Pending["question"];
export type Decision = BodyOf<"decide">;

/** How an approval was answered, and by whom. */
export interface TracedAnswer {
  readonly approved: boolean;
  readonly by: string | undefined;
}
