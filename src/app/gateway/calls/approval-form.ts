import type { AskClient } from "../types/public-types.ts";
import type { Server } from "@modelcontextprotocol/server";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import { declined, dismissed, refused } from "../../host/approvals/answers.ts";
import { answerOf, approvalQuestion } from "../../host/approvals/approval-question.ts";
import type { ApprovalQuestion } from "../../host/approvals/question.ts";
import { choiceText, nested, questionText } from "../../host/approvals/question-text.ts";
import { visible } from "../../../util/text/visible.ts";
import type { Channel } from "../types/gateway-types.ts";
import type { ApprovalForm, FormAnswer } from "./call-types.ts";

const LONGEST_MS = 24 * 60 * 60 * 1000;

/** Returns a function that asks through the client of a server, for as long as the engine waits for the answer. */
export function askThrough(server: Server, relatedRequestId: string | number): AskClient {
  return async (request, signal) => {
    const params = { mode: "form", ...toForm(request) } as never;
    const answer = await server.elicitInput(params, { signal, timeout: LONGEST_MS, relatedRequestId });
    return fromForm(request, answer);
  };
}

/** Returns a function that asks the model of the client; undefined if the client does not support sampling. */
export function sampleThrough(server: Server, relatedRequestId: string | number): Channel["sample"] {
  if (server.getClientCapabilities()?.sampling === undefined) return undefined;
  return async (request, signal) => {
    const options = { signal, timeout: LONGEST_MS, relatedRequestId };
    return (await server.createMessage(request as never, options)) as unknown as JsonObject;
  };
}

/** Returns whether a client can show a form: one that names no kind supports plain forms. */
export function canAsk(capabilities: { readonly elicitation?: object | undefined } | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && ("form" in elicitation || !("url" in elicitation));
}

/** Returns the form for a request, with every choice that it has; a question of a running tool has that tool's own form. */
export function toForm(request: ApprovalRequest): ApprovalForm {
  const question = approvalQuestion(request);
  const { reason, form, choices, risk } = question;
  // Clients number the choices themselves; the label of a wider rule says what it saves.
  const named = choices.filter(({ approval }) => !("offer" in approval));
  const [heading = "", ...lines] = questionText({ ...question, choices: named, view: { kind: "input" } })
    .trim()
    .split("\n");
  if (form !== undefined) return { message: reason, requestedSchema: visibleForm(form) };
  return {
    message: [heading, ...subjectOf(question), ...lines].join("\n"),
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: risk === undefined ? "Your answer" : "Allow it?",
          enum: choices.map(({ id }) => id),
          enumNames: choices.map(choiceText),
          ...(risk !== undefined && { default: "once" }),
        },
      },
      required: ["answer"],
    },
  };
}

/** Returns the approval for a client's answer; only an offered choice approves. */
export function fromForm(request: ApprovalRequest, { action, content }: FormAnswer): Approval {
  if (action === "decline") return declined();
  if (action !== "accept") return dismissed();
  const question = approvalQuestion(request);
  const values = isObject(content) ? content : {};
  if (question.form !== undefined) return answerOf(question, "yes", { input: values });
  const answer = Object.hasOwn(values, "answer") ? values["answer"] : undefined;
  return typeof answer === "string" && question.choices.some(({ id }) => id === answer)
    ? answerOf(question, answer)
    : refused("the answer was none of those offered");
}

const MAX_DIFF_LINES = 60;

/** Returns what matters most, the change of a file or a command that the heading does not have: some clients show only the first lines of a form. */
function subjectOf({ heading, view }: ApprovalQuestion): readonly string[] {
  if (view.kind === "command")
    return heading === `Run ${view.command}` ? [] : [`  $ ${nested(nested(view.command))}`];
  if (view.kind !== "diff") return [];
  // Without the header, which takes two lines to repeat the name.
  const lines = view.diff.replace(/^--- .*\n\+\+\+ .*\n/, "").split("\n");
  const more = lines.length > MAX_DIFF_LINES ? [`[${lines.length - MAX_DIFF_LINES} more lines]`] : [];
  return [...lines.slice(0, MAX_DIFF_LINES), ...more];
}

const TEXTS = new Set(["title", "description", "enumNames"]);

/** Returns the form of another server with everything that its client shows escaped; values stay as they are. */
function visibleForm(form: JsonObject): JsonObject {
  const visibleValue = (value: Json): Json => {
    if (typeof value === "string") return visible(value);
    if (Array.isArray(value)) return value.map(visibleValue);
    return value;
  };
  const entries = Object.entries(form).map(([key, value]) => {
    if (TEXTS.has(key) && !isObject(value)) return [key, visibleValue(value)];
    if (isObject(value)) return [key, visibleForm(value)];
    return [key, Array.isArray(value) ? value.map((one) => (isObject(one) ? visibleForm(one) : one)) : value];
  });
  return Object.fromEntries(entries) as JsonObject;
}
