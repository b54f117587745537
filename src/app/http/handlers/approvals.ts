import { answerOf, approvalQuestion } from "../../host/approvals/approval-question.ts";
import { describeGrant } from "../../host/approvals/describe-rule.ts";
import { seesRequest } from "../../host/people/caller.ts";
import { Refusal } from "../api/refusal.ts";
import type { Handlers } from "../api/routes.ts";
import { toApproval } from "../calls/to-approval.ts";
import type { ServedEngine } from "../server/served.ts";

/** Calls that wait for approval, and saved approvals. */
export function approvalHandlers({
  queue,
  grants,
  session,
}: Pick<ServedEngine, "queue" | "grants" | "session">) {
  return {
    async approvals({ caller }) {
      const visible = (await queue.pending()).filter(({ request }) => seesRequest(caller, request));
      return { approvals: visible.map(toApproval) };
    },
    async decide({ params: { id }, body, caller }) {
      const find = async () =>
        (await queue.pending()).find((one) => one.id === id && seesRequest(caller, one.request));
      const pending = await find();
      if (pending === undefined)
        throw new Refusal("CONFLICT", `no call waits with the id ${JSON.stringify(id)}`, GONE);
      const answer = answerOf(approvalQuestion(pending.request), body.choice, body);
      const { subject } = caller;
      const isNamed = answer.approved && pending.request.approvers !== undefined && subject !== undefined;
      const approval = {
        ...answer,
        ...(isNamed && { approvers: [subject] }),
        by: subject?.id ?? `the console or API, with ${caller.name}`,
      };
      if (!(await queue.answer(id, approval)))
        throw new Refusal("CONFLICT", `${id} was answered elsewhere`, GONE);
      return { id, approval, waits: isNamed && (await find()) !== undefined };
    },
    async grants() {
      const all = await grants.list(session);
      return { grants: all.map((grant) => ({ ...grant, text: describeGrant(grant) })) };
    },
    async revokeGrant({ params: { id } }) {
      if (await grants.revoke(id)) return { ok: true };
      throw new Refusal(
        "NOT_FOUND",
        `no grant has the id ${JSON.stringify(id)}`,
        "GET /api/grants lists them",
      );
    },
  } satisfies Partial<Handlers>;
}

const GONE =
  "it may have been answered elsewhere, or its caller no longer waits; GET /api/approvals lists what waits";
