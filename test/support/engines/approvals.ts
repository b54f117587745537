import type { Approval, ApprovalRequest, Approver } from "../../../src/core/approval.ts";
import type { Risk } from "../../../src/core/spec.ts";
import { defineTool } from "../../../src/schema/define/define-tool.ts";
import { object, string } from "../../../src/schema/define/schema.ts";

/** Answers every question with the same approval; `asked` has the questions. */
export function approverOf(approval: Approval): Approver & { readonly asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  return { asked, ask: async (request) => (asked.push(request), approval) };
}

/** The tool `t` of a risk; `runs` gets the input of each call that runs. */
export function toolOf(risk: Risk, runs: string[] = []) {
  return defineTool({
    name: "t",
    description: "",
    input: object({ to: string() }),
    risk,
    run: ({ to }) => (runs.push(to), `did ${to}`),
  });
}
