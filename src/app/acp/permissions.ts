import type {
  ElicitationSchema,
  PermissionOption,
  RequestPermissionRequest,
  ToolCallContent,
} from "@agentclientprotocol/sdk";
import type { Approval, ApprovalRequest, Approver } from "../../core/approval.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../core/spec.ts";
import { fieldsOf } from "../../sources/mcp/transport/form.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import { visibleBlock } from "../../util/text/visible.ts";
import { declined, dismissed, refused } from "../host/approvals/answers.ts";
import { answerOf, approvalQuestion } from "../host/approvals/approval-question.ts";
import type { ApprovalQuestion, Choice } from "../host/approvals/question.ts";
import { previewTexts } from "../host/approvals/preview-change.ts";
import { choiceText, innerText, touchedText } from "../host/approvals/question-text.ts";
import type { Client } from "./client/client.ts";
import { textContent } from "./content.ts";
import { kindOf, locationsOf, type ToolCalls } from "./tool-calls.ts";

/** Asks the person through the client. Every scope and every wider rule that can be granted is an option. */
export function createPermissions(
  client: Client,
  calls: Pick<ToolCalls, "idOf">,
  specOf: (name: string) => ToolSpec | undefined,
): Approver {
  const permissionOf = (request: ApprovalRequest, question: ApprovalQuestion): RequestPermissionRequest => ({
    sessionId: client.sessionId,
    toolCall: {
      toolCallId: calls.idOf(request.callId),
      title: titleFor(question),
      kind: kindOf(request.tool, specOf(request.tool)),
      status: "pending",
      content: [...contentOf(request, question)],
      locations: [...locationsOf(request.facts)],
      rawInput: request.input,
    },
    options: question.choices.map(optionOf),
  });
  return {
    async ask(request, signal) {
      if (signal.aborted) return refused("the call was cancelled");
      const { context } = client;
      const question = approvalQuestion(request);
      const params = permissionOf(request, question);
      const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
      try {
        // A form without fields only wants a yes.
        if (question.form !== undefined && fieldsOf(question.form)?.length !== 0)
          return await askForm(client, question, question.form, signal);
        const { outcome } = await context.request("session/request_permission", params, waiting);
        if (outcome.outcome === "cancelled") return dismissed();
        const isOffered = question.choices.some(({ id }) => id === outcome.optionId);
        return isOffered ? answerOf(question, outcome.optionId) : declined();
      } catch (error) {
        if (signal.aborted) return refused("the call was cancelled");
        return refused(`the editor gave no answer: ${errorMessage(error)}`);
      }
    },
  };
}

/** Returns the question of a tool, or the heading, as in every other program. */
function titleFor({ view, reason, heading }: ApprovalQuestion): string {
  return view.kind === "question" ? reason : heading;
}

/** Returns the change as a diff if it is one of a text file, and why the call needs approval. */
function contentOf(request: ApprovalRequest, question: ApprovalQuestion): readonly ToolCallContent[] {
  const change = previewTexts(request);
  const { reason, touches, inner, input } = question;
  // Of a call that touches nothing known, the heading has only the tool.
  const whole = touches.length === 0 && change === undefined ? [visibleBlock(input)] : [];
  const lines = [reason, ...whole, ...touches.map(touchedText), ...inner.map(innerText)];
  const text = textContent(lines.join("\n"));
  if (change === undefined) return [text];
  const { target, before, after } = change;
  const old = target.inode === undefined ? {} : { oldText: visibleBlock(before) };
  return [{ type: "diff", path: target.path, newText: visibleBlock(after), ...old }, text];
}

/** Returns a choice as the person reads it. */
function optionOf(choice: Choice): PermissionOption {
  const { id, approval } = choice;
  const allows = approval.approved && approval.scope !== "once" ? "allow_always" : "allow_once";
  return { optionId: id, name: choiceText(choice), kind: approval.approved ? allows : "reject_once" };
}

async function askForm(
  { capabilities, context, sessionId }: Client,
  question: ApprovalQuestion,
  form: JsonObject,
  cancellationSignal: AbortSignal,
): Promise<Approval> {
  if ((capabilities.elicitation?.form ?? undefined) === undefined)
    return refused("the editor cannot show the form that the tool wants filled in");
  const message = question.reason;
  const requestedSchema = form as unknown as ElicitationSchema;
  const answer = await context.request(
    "elicitation/create",
    { mode: "form", sessionId, message, requestedSchema },
    { cancellationSignal, stopWaitingOnCancel: true },
  );
  if (answer.action === "decline") return declined();
  if (answer.action !== "accept") return dismissed();
  return answerOf(question, "yes", { input: (answer["content"] ?? {}) as JsonObject });
}
