import { parseObject } from "../../../util/json/parse-json.ts";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import type { Dialog } from "./repl-state.ts";
import { fieldsOf } from "../../../sources/mcp/transport/form.ts";
import { approvalOf, declined, describeOffer, scopesOf } from "../../terminal/approve/describe-request.ts";
import { readField } from "../../terminal/approve/fill-form.ts";

/** One possible answer. */
export interface Choice {
  readonly key: string;
  readonly label: string;
}

const SCOPES = {
  once: { key: "y", label: "yes, once" },
  session: { key: "s", label: "same call, all session" },
  always: { key: "a", label: "always" },
} as const;
const EDIT: Choice = { key: "e", label: "edit" };
const NO: Choice = { key: "n", label: "no" };

/** Returns the possible answers; a scope that cannot be granted is not offered. */
export function choicesOf(request: ApprovalRequest): readonly Choice[] {
  if (request.question !== undefined) return [{ ...SCOPES.once, label: "yes" }, NO];
  const offers = (request.offers ?? []).map((offer, index) => {
    return { key: String(index + 1), label: describeOffer(offer) };
  });
  const isWider = request.grant !== undefined && request.grant.exact !== true;
  const session = isWider ? { ...SCOPES.session, label: "this rule, all session" } : SCOPES.session;
  const scopes = scopesOf(request).map((scope) => (scope === "session" ? session : SCOPES[scope]));
  return [...scopes, ...offers, EDIT, NO];
}

/** The dialog after a key or a typed line, with the text to edit next; or the user's answer. */
export type DialogStep =
  | { readonly dialog: Dialog; readonly text?: string }
  | { readonly approval: Approval };

/** Returns the initial dialog about a request. */
export function firstDialog(request: ApprovalRequest): Dialog {
  const fields = fieldsOf(request.question?.details?.["form"]) ?? [];
  return fields.length === 0 ? { kind: "choose" } : { kind: "form", fields, answers: {} };
}

/** Returns the step for a pressed key; undefined if it is not an answer. */
export function choose(request: ApprovalRequest, pressed: string): DialogStep | undefined {
  const key = pressed.toLowerCase();
  if (!choicesOf(request).some((choice) => choice.key === key)) return undefined;
  const scope = scopesOf(request).find((one) => SCOPES[one].key === key);
  if (scope !== undefined) return { approval: { approved: true, scope } };
  const approval = approvalOf(request, Number(key) - 1);
  if (approval !== undefined) return { approval };
  if (key === "n") return { dialog: { kind: "reason" } };
  return { dialog: { kind: "edit" }, text: visibleJson(JSON.stringify(request.input)) };
}

/** Returns the step for Escape: from a typed answer back to the choices, from these to a denial. */
export function goBack(request: ApprovalRequest, { kind }: Dialog): DialogStep {
  const isTyping = kind === "edit" || kind === "reason";
  return isTyping ? { dialog: firstDialog(request) } : { approval: declined() };
}

/** Returns the step for a typed line. */
export function submitAnswer(dialog: Dialog, text: string): DialogStep {
  if (dialog.kind === "choose") return { dialog };
  if (dialog.kind === "form") return nextField(dialog, text);
  if (dialog.kind === "reason") return { approval: declined(text.trim()) };
  const input = parseObject(text);
  return input === undefined
    ? { dialog: { ...dialog, problem: "the input is not a JSON object" }, text }
    : { approval: { approved: true, scope: "once", input } };
}

function nextField(dialog: Extract<Dialog, { kind: "form" }>, text: string): DialogStep {
  const [field, ...fields] = dialog.fields;
  if (field === undefined) return { approval: { approved: true, scope: "once", input: dialog.answers } };
  const answer = readField(field, text);
  if ("problem" in answer) return { dialog: { ...dialog, problem: answer.problem }, text };
  const { value } = answer;
  const answers = value === undefined ? dialog.answers : { ...dialog.answers, [field.name]: value };
  if (fields.length === 0) return { approval: { approved: true, scope: "once", input: answers } };
  return { dialog: { kind: "form", fields, answers } };
}
