import type { AskClient } from "../types/public-types.ts";
import type { Server } from "@modelcontextprotocol/server";
import type { Approval, ApprovalRequest } from "../../../core/approval.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import {
  declined,
  refused,
  describeGrant,
  describeRequest,
  scopesOf,
  sessionGrant,
} from "../../terminal/approve/describe-request.ts";
import { previewChange } from "../../terminal/approve/preview-change.ts";
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

/** Returns the form for a request: allow once, for the session, always, or deny; a question of a running tool has that tool's own form. */
export function toForm(request: ApprovalRequest): ApprovalForm {
  const own = formOf(request);
  if (own !== undefined) return { message: visible(request.reason), requestedSchema: own };
  const choices = choicesOf(request);
  return {
    message: `${describeSubject(request)}${describeRequest(request)}${describeGrant(request)}`.trim(),
    requestedSchema: {
      type: "object",
      properties: {
        answer: {
          type: "string",
          title: request.question === undefined ? "Allow it?" : "Your answer",
          enum: choices.map(([word]) => word),
          enumNames: choices.map(([, title]) => title),
          ...(request.question === undefined && { default: "once" }),
        },
      },
      required: ["answer"],
    },
  };
}

/** Returns the approval for a client's answer; only an offered choice approves. */
export function fromForm(request: ApprovalRequest, { action, content }: FormAnswer): Approval {
  if (action === "decline") return declined();
  if (action !== "accept")
    return {
      approved: false,
      reason: "the question was dismissed",
      hint: "nothing was run",
      dismissed: true,
    };
  if (formOf(request) !== undefined)
    return { approved: true, scope: "once", ...(isObject(content) && { input: content }) };
  const answer = isObject(content) && Object.hasOwn(content, "answer") ? content["answer"] : undefined;
  if (!choicesOf(request).some(([word]) => word === answer))
    return refused("the answer was none of those offered");
  if (answer === "session" || answer === "always") return { approved: true, scope: answer };
  return answer === "no" ? declined() : { approved: true, scope: "once" };
}

const MAX_DIFF_LINES = 60;

/** Returns what matters most, the command or the change of a file: some clients show only the first lines of a form. */
function describeSubject(request: ApprovalRequest): string {
  if (request.question !== undefined) return "";
  const commands = request.facts.flatMap((fact) => (fact.kind === "command" ? [`$ ${fact.text}`] : []));
  if (commands.length > 0) return `${visible(commands.join("\n"))}\n`;
  const diff = previewChange(request);
  if (diff === undefined) return "";
  // Without the header, which takes two lines to repeat the name.
  const lines = diff
    .trimEnd()
    .replace(/^--- .*\n\+\+\+ .*\n/, "")
    .split("\n");
  const more = lines.length > MAX_DIFF_LINES ? [`[${lines.length - MAX_DIFF_LINES} more lines]`] : [];
  const path = request.facts.find((fact) => fact.kind === "path")?.path ?? request.tool;
  return `${visible([path, ...lines.slice(0, MAX_DIFF_LINES), ...more].join("\n"))}\n`;
}

function formOf({ question }: ApprovalRequest): JsonObject | undefined {
  const form = question?.details?.["form"];
  return isObject(form) && form["type"] === "object" ? form : undefined;
}

/** Offers only the scopes that can be granted. */
function choicesOf(request: ApprovalRequest): readonly (readonly [string, string])[] {
  if (request.question !== undefined) return [["yes", "Yes"], NO];
  const titles = { ...TITLES, session: `Yes, for the whole session: ${sessionGrant(request)}` };
  return [...scopesOf(request).map((scope) => [scope, titles[scope]] as const), NO];
}

const TITLES = {
  once: "Yes, once",
  always: "Yes, always: save the rule that is shown",
} as const;
const NO = ["no", "No"] as const;
