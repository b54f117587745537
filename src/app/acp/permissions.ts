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
import { visible } from "../../util/text/visible.ts";
import {
  approvalOf,
  declined,
  describeFact,
  describeInner,
  describeOffer,
  refused,
  scopesOf,
  sessionGrant,
} from "../terminal/approve/describe-request.ts";
import { previewTexts } from "../terminal/approve/preview-change.ts";
import type { Client } from "./client/client.ts";
import { textContent } from "./content.ts";
import { kindOf, locationsOf, titleOf, type ToolCalls } from "./tool-calls.ts";

/** Asks the person through the client. Every scope and every wider rule that can be granted is an option. */
export function createPermissions(
  client: Client,
  calls: Pick<ToolCalls, "idOf">,
  specOf: (name: string) => ToolSpec | undefined,
): Approver {
  const permissionOf = (request: ApprovalRequest): RequestPermissionRequest => ({
    sessionId: client.sessionId,
    toolCall: {
      toolCallId: calls.idOf(request.callId),
      title: request.question?.text ?? titleOf(request.tool, request.input),
      kind: kindOf(request.tool, specOf(request.tool)),
      status: "pending",
      content: [...contentOf(request)],
      locations: [...locationsOf(request.facts)],
      rawInput: request.input,
    },
    options: [...optionsFor(request)],
  });
  return {
    async ask(request, signal) {
      if (signal.aborted) return refused("the call was cancelled");
      const { context } = client;
      const form = formOf(request);
      const params = permissionOf(request);
      const waiting = { cancellationSignal: signal, stopWaitingOnCancel: true };
      try {
        if (form !== undefined) return await askForm(client, request, form, signal);
        const { outcome } = await context.request("session/request_permission", params, waiting);
        return outcome.outcome === "cancelled" ? DISMISSED : toApproval(request, outcome.optionId);
      } catch (error) {
        if (signal.aborted) return refused("the call was cancelled");
        return refused(`the editor gave no answer: ${errorMessage(error)}`);
      }
    },
  };
}

const DISMISSED: Approval = { approved: false, reason: "the question was dismissed", dismissed: true };

/** Returns the change as a diff if it is one of a text file, and why the call needs approval. */
function contentOf(request: ApprovalRequest): readonly ToolCallContent[] {
  const change = previewTexts(request);
  const { reason, facts, calls = [] } = request;
  const lines = [reason, ...facts.map(describeFact), ...calls.map(describeInner)];
  const text = textContent(visible(lines.join("\n")));
  if (change === undefined) return [text];
  const { target, before, after } = change;
  const old = target.inode === undefined ? {} : { oldText: before };
  return [{ type: "diff", path: target.path, newText: after, ...old }, text];
}

/** Returns the answers that a request can have, as the person reads them. */
function optionsFor(request: ApprovalRequest): readonly PermissionOption[] {
  const isQuestion = request.question !== undefined;
  const names = {
    once: isQuestion ? "Yes" : "Allow once",
    session: `Allow for this session: ${sessionGrant(request)}`,
    always: `Always allow: ${visible(JSON.stringify(request.grant ?? {}))}`,
  };
  const scopes = scopesOf(request).map((scope) => ({
    optionId: scope,
    name: names[scope],
    kind: scope === "once" ? ("allow_once" as const) : ("allow_always" as const),
  }));
  const offers = isQuestion ? [] : (request.offers ?? []);
  const wider = offers.map((offer, index) => ({
    optionId: `${OFFER}${index}`,
    name: describeOffer(offer),
    kind: "allow_always" as const,
  }));
  return [...scopes, ...wider, { optionId: "no", name: isQuestion ? "No" : "Reject", kind: "reject_once" }];
}

const OFFER = "offer-";

/** Returns the approval for a chosen option; any that was not offered declines. */
function toApproval(request: ApprovalRequest, optionId: string): Approval {
  const scope = scopesOf(request).find((one) => one === optionId);
  if (scope !== undefined) return { approved: true, scope };
  const offer = optionId.startsWith(OFFER) ? Number(optionId.slice(OFFER.length)) : -1;
  return approvalOf(request, offer) ?? declined();
}

/** Returns the form that a running tool wants filled in; undefined if it only wants a yes. */
function formOf({ question }: ApprovalRequest): JsonObject | undefined {
  const form = question?.details?.["form"];
  const isEmpty = fieldsOf(form)?.length === 0;
  return form === undefined || isEmpty ? undefined : (form as JsonObject);
}

async function askForm(
  { capabilities, context, sessionId }: Client,
  { question, reason }: ApprovalRequest,
  form: JsonObject,
  cancellationSignal: AbortSignal,
): Promise<Approval> {
  if ((capabilities.elicitation?.form ?? undefined) === undefined)
    return refused("the editor cannot show the form that the tool wants filled in");
  const message = visible(question?.text ?? reason);
  const requestedSchema = form as unknown as ElicitationSchema;
  const answer = await context.request(
    "elicitation/create",
    { mode: "form", sessionId, message, requestedSchema },
    { cancellationSignal, stopWaitingOnCancel: true },
  );
  if (answer.action === "decline") return declined();
  if (answer.action !== "accept") return DISMISSED;
  return { approved: true, scope: "once", input: (answer["content"] ?? {}) as JsonObject };
}
