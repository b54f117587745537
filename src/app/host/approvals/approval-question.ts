import type { Approval, ApprovalRequest, InnerRequest } from "../../../core/approval.ts";
import { ToolError } from "../../../core/errors.ts";
import type { GrantOffer, GrantScope } from "../../../core/grant.ts";
import type { Rule } from "../../../core/rule.ts";
import { isObject } from "../../../core/json.ts";
import { defined } from "../../../util/json/defined.ts";
import { spacedJson } from "../../../util/json/spaced-json.ts";
import { visible } from "../../../util/text/visible.ts";
import { declined } from "./answers.ts";
import { describeFacts, programsOf, shownPath } from "./describe-fact.ts";
import { describeCalls } from "./describe-rule.ts";
import { previewChange } from "./preview-change.ts";
import { questionTitle } from "./question-title.ts";
import {
  OWN_QUESTION,
  type AnswerExtra,
  type ApprovalQuestion,
  type Choice,
  type InnerCall,
  type QuestionView,
} from "./question.ts";

type Grantable = Pick<ApprovalRequest, "grant" | "ungrantable" | "offers" | "question" | "folder">;

/** Returns the question about a request: the one place that words it and decides which answers it has. */
export function approvalQuestion(request: ApprovalRequest): ApprovalQuestion {
  const { tool, risk, reason, input, facts, question, folder, calls = [] } = request;
  const form = question?.details?.["form"];
  const view = viewOf(request);
  const isOwn = tool === OWN_QUESTION && question !== undefined;
  return {
    heading: questionTitle(request, view.kind === "diff" ? view.diff : undefined),
    tool: visible(tool),
    ...(question === undefined && { risk }),
    reason: visible(reason),
    isUsual: request.isByMode === true && calls.length === 0,
    view,
    input: visible(JSON.stringify(input, undefined, 2)),
    touches: describeFacts(facts, folder),
    inner: calls.map((call) => describeInner(call, folder)),
    choices: choicesOf(request),
    isEditable: question === undefined && request.approvers === undefined,
    takesReason: !isOwn,
    ...defined({
      folder: usedFolder(request),
      onlyOnce: onlyOnce(request),
      form: isObject(form) && form["type"] === "object" ? form : undefined,
    }),
  };
}

/** Returns undefined if no path is shown as relative to the folder. */
function usedFolder({ folder, facts, calls = [] }: ApprovalRequest): string | undefined {
  const all = [...facts, ...calls.flatMap((call) => call.facts)];
  const isUsed = all.some((fact) => fact.kind === "path" && shownPath(fact.path, folder) !== fact.path);
  return isUsed && folder !== undefined ? visible(folder) : undefined;
}

function viewOf(request: ApprovalRequest): QuestionView {
  const { question, facts } = request;
  if (question !== undefined) {
    const { details } = question;
    return { kind: "question", details: details ? visible(JSON.stringify(details, undefined, 2)) : null };
  }
  const commands = facts.filter((fact) => fact.kind === "command");
  const [first] = commands;
  if (first !== undefined)
    return {
      kind: "command",
      command: visible(commands.map(({ text }) => text).join("\n")),
      folder: visible(first.cwd),
      programs: commands.flatMap(programsOf).map(visible),
    };
  const diff = previewChange(request);
  return diff === undefined
    ? { kind: "input" }
    : { kind: "diff", diff: visible(diff.trimEnd().replaceAll("\t", "    ")) };
}

const DECIDED = { ask: "is approved with this answer", allow: "runs anyway", deny: "is denied" } as const;

function describeInner(
  { tool, decision, isAskedAgain, reason, facts }: InnerRequest,
  folder: string | undefined,
): InnerCall {
  const isAgain = decision === "ask" && isAskedAgain === true;
  return {
    tool: visible(tool),
    decided: isAgain ? "gets a question of its own" : DECIDED[decision],
    reason: visible(reason),
    touches: describeFacts(facts, folder),
  };
}

/** The answers that last, in the order of the choices: a new scope is an entry here. */
export const LASTING: readonly Lasting[] = [
  {
    scope: "session",
    summary: "approve, and allow the same call for the rest of its session",
    brief: (calls) => (calls === undefined ? "same call, all session" : "this rule, all session"),
    label: (calls) => `Allow ${calls ?? "exactly this call"} for the rest of the session`,
  },
  {
    scope: "always",
    summary: "approve, and save the rule that is shown",
    brief: () => "always",
    label: (calls) => `Always allow ${calls}`,
    needsRule: true,
  },
];

interface Lasting {
  /** Its first letter is the key. */
  readonly scope: GrantScope;
  /** Of its flag at the command line. */
  readonly summary: string;
  readonly brief: (calls: string | undefined) => string;
  /** `calls` describes those that the rule allows: `edit_file on src/sum.ts`. */
  readonly label: (calls: string | undefined) => string;
  /** True: offered only if a rule describes the call. */
  readonly needsRule?: true;
}

/** Returns the answers that a request, or a verdict that asks, can have. */
export function choicesOf(request: Grantable): readonly Choice[] {
  const { grant, ungrantable, question, folder, offers = [] } = request;
  const once = { approved: true, scope: "once" } as const;
  const no: Choice = { id: "no", key: "n", brief: "no", label: "No", approval: declined() };
  if (question !== undefined)
    return [{ id: "yes", key: "y", brief: "yes", label: "Yes", approval: once }, no];
  const isWider = grant !== undefined && grant.exact !== true;
  const rule = grant && coveredCalls(grant, folder);
  const lasting = ungrantable === undefined ? LASTING.filter((one) => !one.needsRule || rule) : [];
  return [
    { id: "once", key: "y", brief: "yes, once", label: "Allow once", approval: once },
    ...lasting.map(({ scope, brief, label, needsRule }): Choice => ({
      id: scope,
      key: scope.slice(0, 1),
      brief: brief(isWider ? rule : undefined),
      label: label(rule),
      ...(needsRule && grant !== undefined && { saves: visible(spacedJson(grant)) }),
      approval: { approved: true, scope },
    })),
    ...offers.map(offered),
    no,
  ];
}

/** Names the calls that a rule allows; the question shows the input of a rule that needs exactly this one. */
function coveredCalls(grant: Rule, folder: string | undefined): string {
  const isThisCall = grant.exact === true && grant.input !== undefined && typeof grant.tool === "string";
  return isThisCall ? visible(`exactly this call of ${grant.tool}`) : describeCalls(grant, folder);
}

function offered({ scope, label, adds, warning }: GrantOffer, offer: number): Choice {
  const [what, lasting] =
    adds === undefined
      ? [`allow ${label}`, `always allow ${label}`]
      : [`add ${adds} to the workspace`, `always add ${adds} to the workspace`];
  const text = visible(scope === "always" ? lasting : `${what}, for this session`);
  return {
    id: String(offer + 1),
    key: String(offer + 1),
    brief: text,
    label: text.replace(/^a/, "A"),
    saves: text,
    ...(warning !== undefined && { warning: visible(warning) }),
    approval: { approved: true, scope, offer },
  };
}

/** Returns why a call can be allowed only once; undefined if it can be for longer. */
export function onlyOnce({ ungrantable, question, offers = [] }: Grantable): string | undefined {
  if (question !== undefined || ungrantable === undefined || offers.length > 0) return undefined;
  return visible(ungrantable);
}

/** Returns the approval that a choice means. Throws `INVALID_INPUT` if the question does not offer it. */
export function answerOf(
  { choices, onlyOnce: why, isEditable, form }: ApprovalQuestion,
  id: string,
  { input, reason }: AnswerExtra = {},
): Approval {
  const approval = choices.find((choice) => choice.id === id)?.approval;
  if (approval === undefined)
    throw new ToolError(
      "INVALID_INPUT",
      `unknown choice ${JSON.stringify(id)}; expected ${namesOf(choices)}`,
      {
        ...(why !== undefined && { hint: `this call can only be approved once: ${why}` }),
      },
    );
  if (!approval.approved) {
    if (input !== undefined) throw new ToolError("INVALID_INPUT", "input cannot be used with a denial");
    return reason === undefined ? approval : { ...approval, reason };
  }
  if (reason !== undefined) throw new ToolError("INVALID_INPUT", "reason can only be used with a denial");
  if (input === undefined) return approval;
  if (approval.scope !== "once" || !(isEditable || form !== undefined))
    throw new ToolError("INVALID_INPUT", "input: an edited call can only be approved once");
  return { ...approval, input };
}

function namesOf(choices: readonly Choice[]): string {
  const names = choices.map(({ id }) => id);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
