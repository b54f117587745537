import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import type { CommandFact } from "../../../core/fact.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PendingApproval as Pending } from "../../../store/database/approval-queue.ts";
import { approvalOf, declined, describeFact, scopesOf } from "../../terminal/approve/describe-request.ts";
import { previewChange } from "../../terminal/approve/preview-change.ts";
import type { BodyOf } from "../api/routes.ts";
import type { PendingApproval } from "../api/call-shapes.ts";

/** Returns a waiting request with the form in which a person should see it. */
export function toApproval({ id, askedAt, request }: Pending): PendingApproval {
  return { id, askedAt, request, scopes: scopesOf(request), view: viewOf(request) };
}

function viewOf(request: ApprovalRequest): PendingApproval["view"] {
  const { question, facts } = request;
  if (question !== undefined)
    return { kind: "question", text: question.text, details: question.details ?? null };
  const command = facts.find((fact): fact is CommandFact => fact.kind === "command");
  if (command !== undefined) {
    const [, ...programs] = describeFact(command).split("\n");
    return {
      kind: "command",
      command: command.text,
      folder: command.cwd,
      programs: programs.map((line) => line.trim()),
    };
  }
  const diff = previewChange(request);
  return diff === undefined ? { kind: "input" } : { kind: "diff", diff };
}

/** Returns the answer that a person gives. Throws if the request does not offer it. */
export function toAnswer(request: ApprovalRequest, given: BodyOf<"decide">): Approval {
  const { decision, scope = "once", offer, input, reason } = given;
  if (decision === "deny") return declined(reason ?? "");
  if (reason !== undefined) throw new ToolError("INVALID_INPUT", "reason can only be used with deny");
  if (input !== undefined) {
    if (scope !== "once" || offer !== undefined)
      throw new ToolError("INVALID_INPUT", "input: an edited call can only be approved once");
    return { approved: true, scope: "once", input };
  }
  if (offer !== undefined) {
    const offered = approvalOf(request, offer);
    if (offered !== undefined) return offered;
    throw new ToolError(
      "INVALID_INPUT",
      `offer: no rule has the index ${offer}; the call offers ${request.offers?.length ?? 0}`,
    );
  }
  const scopes = scopesOf(request);
  if (!scopes.includes(scope))
    throw new ToolError("INVALID_INPUT", `scope: expected ${scopes.join(" or ")}, got ${scope}`, {
      ...(request.ungrantable !== undefined && { hint: request.ungrantable }),
    });
  return { approved: true, scope };
}
