import type { Approval, Approver, ApprovalRequest } from "../../../core/approval.ts";
import type { JsonObject } from "../../../core/json.ts";
import { parseObject } from "../../../util/json/parse-json.ts";
import { fieldsOf, type FormField } from "../../../sources/mcp/transport/form.ts";
import { declined, dismissed, refused } from "../../host/approvals/answers.ts";
import { answerOf, approvalQuestion } from "../../host/approvals/approval-question.ts";
import type { ApprovalQuestion } from "../../host/approvals/question.ts";
import { nested } from "../../host/approvals/question-text.ts";
import { answerPrompt, choiceLines, questionDetails, questionWords } from "./question-words.ts";
import { DEFAULT_WIDTH } from "../print/wrap.ts";
import { askLine, dropTypedAhead, type Terminal } from "./ask-line.ts";
import { fillForm, type ReadLine } from "./fill-form.ts";
import { visibleJson } from "../../../util/text/visible.ts";
import { createSerializer } from "../../../util/async/serialize.ts";
import { defined } from "../../../util/json/defined.ts";

/** Prompts the person at the terminal, one question at a time. Ctrl-C, which is reported, Ctrl-D and any unclear answer deny. */
export function createTerminalApprover(terminal: Terminal, onInterrupt?: () => void): Approver {
  const serialize = createSerializer();
  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval> => {
    await dropTypedAhead(terminal);
    if (signal.aborted) return refused("the call was cancelled");
    const print = (text: string): void => void terminal.stderr.write(text);
    const readLine: ReadLine = (text, prefilled) =>
      askLine(terminal, text, { signal, onInterrupt, ...defined({ prefilled }) });
    const question = approvalQuestion(request);
    // More than a terminal can prompt for is a question without a form.
    const fields = fieldsOf(question.form) ?? [];
    if (fields.length > 0) {
      print(`\n${question.heading}\n  ${nested(question.reason)}\n`);
      return answerForm(fields, readLine, print);
    }
    const width = terminal.stderr.columns || DEFAULT_WIDTH;
    print(questionWords(question, request, { width }));
    print(choiceLines(question, { width, isTerminal: true }));
    const onDetails = (): string => `\n${questionDetails(question, request, { width })}`;
    const typed = await askLine(terminal, answerPrompt(question), { signal, onInterrupt, onDetails });
    const edit = (): Promise<Approval> => answerEdited(question, request.input, readLine);
    return toApproval(question, typed, edit);
  };
  return { ask: (request, signal) => serialize(() => ask(request, signal)) };
}

/** Prompts for each field. "no" denies; leaving in the middle cancels. */
async function answerForm(
  fields: readonly FormField[],
  readLine: ReadLine,
  print: (text: string) => void,
): Promise<Approval> {
  const word = (await readLine("Answer it? [y]es, field by field; [n]o: "))?.trim().toLowerCase();
  if (word === undefined) return dismissed("you gave no answer");
  if (word !== "y" && word !== "yes") return declined();
  const input = await fillForm(fields, readLine, print);
  return input === undefined ? dismissed("you gave no answer") : { approved: true, scope: "once", input };
}

/** Returns the approval for a typed answer; anything but an offered choice denies. Without `edit` the input cannot be edited. */
export async function toApproval(
  question: ApprovalQuestion,
  answer: string | undefined,
  edit?: () => Promise<Approval>,
): Promise<Approval> {
  const word = answer?.trim().toLowerCase() ?? "";
  const { choices } = question;
  const choice = word === "yes" ? choices[0] : choices.find(({ id, key }) => word === id || word === key);
  if (choice !== undefined) return answerOf(question, choice.id);
  if (question.isEditable && edit !== undefined && (word === "e" || word === "edit")) return edit();
  return declined(/^\s*no?[\s,:]+(.*\S)/i.exec(answer ?? "")?.[1]);
}

/** Prompts for a changed input, as one line of JSON; anything but an object denies. */
async function answerEdited(
  question: ApprovalQuestion,
  input: JsonObject,
  readLine: ReadLine,
): Promise<Approval> {
  const line = await readLine("Run it with: ", visibleJson(JSON.stringify(input)));
  if (line === undefined || line.trim() === "") return declined();
  const edited = parseObject(line);
  return edited === undefined
    ? refused("what you typed is not a JSON object")
    : answerOf(question, "once", { input: edited });
}
