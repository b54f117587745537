import type { Approval, ApprovalRequest, Approver } from "../../../core/approval.ts";
import { parseObject } from "../../../util/json/parse-json.ts";
import { fieldsOf, type FormField } from "../../../sources/mcp/transport/form.ts";
import { askLine, dropTypedAhead, type Terminal } from "./ask-line.ts";
import {
  approvalOf,
  declined,
  refused,
  describeGrant,
  describeRequest,
  scopesOf,
  sessionGrant,
} from "./describe-request.ts";
import { fillForm, type ReadLine } from "./fill-form.ts";
import { previewChange } from "./preview-change.ts";
import { visible, visibleJson } from "../../../util/text/visible.ts";
import { createSerializer } from "../../../util/async/serialize.ts";

/** Prompts the person at the terminal, one question at a time. Ctrl-C, which is reported, Ctrl-D and any unclear answer deny. */
export function createTerminalApprover(terminal: Terminal, onInterrupt?: () => void): Approver {
  const serialize = createSerializer();
  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval> => {
    await dropTypedAhead(terminal);
    if (signal.aborted) return refused("the call was cancelled");
    const print = (text: string): void => void terminal.stderr.write(text);
    const readLine: ReadLine = (question, prefilled) =>
      askLine(terminal, question, { signal, onInterrupt, ...(prefilled === undefined ? {} : { prefilled }) });
    const form = formOf(request);
    if (form !== undefined) {
      print(`\n${visible(request.tool)} asks\n  ${visible(request.reason)}\n`);
      return answerForm(form, readLine, print);
    }
    print(`${describeRequest(request, previewChange(request))}${describeGrant(request)}`);
    return toApproval(request, await readLine(choicesFor(request)), readLine);
  };
  return { ask: (request, signal) => serialize(() => ask(request, signal)) };
}

/** Returns the prompt with the possible answers. */
export function choicesFor(request: ApprovalRequest, canEdit = true): string {
  if (request.question !== undefined) return "[y]es; [n]o: ";
  const scopes = scopesOf(request);
  const session = scopes.includes("session")
    ? `; [s]ession: ${sessionGrant(request)} for the whole session`
    : "";
  const always = scopes.includes("always") ? "; [a]lways" : "";
  const offers = (request.offers ?? []).map((_, index) => `; [${index + 1}]`).join("");
  return `Allow it? [y]es, once${session}${always}${offers}${canEdit ? "; [e]dit" : ""}; [n]o [REASON]: `;
}

/** Returns the fields that a running tool wants filled in; undefined if it only wants a yes, or more than a terminal can prompt for. */
function formOf({ question }: ApprovalRequest): readonly FormField[] | undefined {
  const fields = fieldsOf(question?.details?.["form"]);
  return fields?.length === 0 ? undefined : fields;
}

/** Prompts for each field. "no" denies; leaving in the middle cancels. */
async function answerForm(
  fields: readonly FormField[],
  readLine: ReadLine,
  print: (text: string) => void,
): Promise<Approval> {
  const word = (await readLine("Answer it? [y]es, field by field; [n]o: "))?.trim().toLowerCase();
  if (word === undefined) return DISMISSED;
  if (word !== "y" && word !== "yes") return declined();
  const input = await fillForm(fields, readLine, print);
  return input === undefined ? DISMISSED : { approved: true, scope: "once", input };
}

const DISMISSED: Approval = { approved: false, reason: "you gave no answer", dismissed: true };

/** Returns the approval for a typed answer; anything but an offered choice denies. Without `readLine` the input cannot be edited. */
export async function toApproval(
  request: ApprovalRequest,
  answer: string | undefined,
  readLine?: ReadLine,
): Promise<Approval> {
  const word = answer?.trim().toLowerCase() ?? "";
  if (word === "y" || word === "yes") return { approved: true, scope: "once" };
  const scope = scopesOf(request).find((one) => one !== "once" && (word === one || word === one[0]));
  if (scope !== undefined) return { approved: true, scope };
  const offered = approvalOf(request, /^[1-9]$/.test(word) ? Number(word) - 1 : -1);
  if (offered !== undefined) return offered;
  const isEdit = request.question === undefined && (word === "e" || word === "edit");
  if (isEdit && readLine !== undefined) return edit(request, readLine);
  return declined(/^\s*no?[\s,:]+(.*\S)/i.exec(answer ?? "")?.[1]);
}

/** Prompts for a changed input, as one line of JSON; anything but an object denies. */
async function edit({ input }: ApprovalRequest, readLine: ReadLine): Promise<Approval> {
  const line = await readLine("Run it with: ", visibleJson(JSON.stringify(input)));
  if (line === undefined || line.trim() === "") return declined();
  const edited = parseObject(line);
  return edited === undefined
    ? refused("what you typed is not a JSON object")
    : { approved: true, scope: "once", input: edited };
}
