import { approvalQuestion } from "../../host/approvals/approval-question.ts";
import type { PendingApproval as Pending } from "../../../store/database/approval-queue.ts";
import type { PendingApproval } from "../api/approval-shapes.ts";

/** Returns a waiting request with the question as a person should see it. */
export function toApproval({ id, askedAt, approvedBy, request }: Pending): PendingApproval {
  return { id, askedAt, approvedBy: [...approvedBy], request, question: approvalQuestion(request) };
}
