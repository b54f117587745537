import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { GRANT_SCOPES, type Grant } from "../../../core/grant.ts";
import {
  boolean,
  list,
  number,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import type { ApprovalQuestion, Choice } from "../../host/approvals/question.ts";
import { FactShape, Risk, RuleShape, TouchedShape } from "./call-shapes.ts";
import { anyObject, at, typed } from "./typed.ts";

export const ChoiceShape = typed<Choice>("a possible answer", {
  id: string("once, session, always, the number of an offer, yes or no"),
  label: string("what it means"),
  saves: optional(string("the rule that it saves")),
  warning: optional(string()),
});

const Question = typed<ApprovalQuestion>(
  "the question as a person should see it, without hidden characters",
  {
    heading: string("what it would do, such as Edit src/sum.ts"),
    tool: string(),
    folder: optional(string("the folder to which paths are relative; absent if there are none")),
    risk: optional(Risk),
    reason: string(),
    view: oneOf(
      [
        object({ kind: oneOf(["diff"]), diff: string("unified diff") }),
        object({
          kind: oneOf(["command"]),
          command: string(),
          folder: string(),
          programs: list(string("what it runs")),
        }),
        anyObject("kind: question, with its details, or input"),
      ],
      "how to show it",
    ),
    input: string("JSON"),
    touches: list(TouchedShape),
    inner: list(anyObject("a call that it would make: tool, decided, reason, touches")),
    choices: list(ChoiceShape, "the last one denies"),
    onlyOnce: optional(string("why it can be allowed only once")),
    form: optional(anyObject("JSON Schema of the input that a running tool asks for")),
  },
);

export const PendingApproval = object({
  id: string(),
  askedAt: number(at),
  approvedBy: list(string(), "who has approved it, if its rules demand more people"),
  request: typed<ApprovalRequest>(
    "what needs approval: tool, risk, input, facts, reason, grant, offers, calls, question",
    {
      callId: string(),
      tool: string(),
      risk: Risk,
      input: anyObject("final"),
      facts: list(FactShape),
      reason: string(),
    },
    ["hash"],
  ),
  question: Question,
});
export type PendingApproval = Infer<typeof PendingApproval>;

export const Decision = object({
  choice: string("the id of one of the question's choices"),
  input: optional(anyObject("with once or yes: run with this input, which is validated and judged again")),
  reason: optional(string("with no: for the caller", { max: 2000 })),
});
export const Decided = object({
  id: string(),
  approval: typed<Approval>("the answer that was stored"),
  waits: boolean("more people must approve it"),
});

export const GrantShape = typed<Grant & { readonly text: string }>("a saved approval", {
  id: string(),
  scope: oneOf(GRANT_SCOPES),
  tool: string(),
  rule: optional(RuleShape),
  text: string("the rule as text"),
  grantedAt: number(at),
});
