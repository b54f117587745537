import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, ApprovalRequest, Approver } from "../../core/approval.ts";
import { isObject } from "../../core/json.ts";
import type { JsonObject } from "../../core/json.ts";
import { describeRequest } from "./describe-request.ts";
import { visible, visibleJson } from "./visible.ts";

/** How long the terminal takes, at most, to hand over what is waiting in it. */
const TYPED_AHEAD_MS = 50;

/** Asks the person at the terminal, one question at a time. Ctrl-C, Ctrl-D and anything unclear mean no. */
export function createTerminalApprover(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Approver {
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval> => {
    await dropTypedAhead(stdin);
    if (signal.aborted) return refused("the call was cancelled");
    stderr.write(`${describeRequest(request)}${describeGrant(request)}`);
    const readLine: ReadLine = (question, prefilled) =>
      readAnswer({ stdin, stderr, signal, question, ...(prefilled === undefined ? {} : { prefilled }) });
    return toApproval(request, await readLine(choicesFor(request)), readLine);
  };
  return {
    ask(request, signal) {
      const answered = last.then(() => ask(request, signal));
      last = answered.catch(() => undefined);
      return answered;
    },
  };
}

/** What "always" would save, before anyone says it. */
export function describeGrant({ grant, ungrantable, question }: ApprovalRequest): string {
  if (question !== undefined) return "";
  if (grant !== undefined) return `  always would save: ${visible(JSON.stringify(grant))}\n`;
  return ungrantable === undefined ? "" : `  only once: ${visible(ungrantable)}\n`;
}

/** The ways to answer; those that would not last are not offered. */
export function choicesFor({ grant, ungrantable, question }: ApprovalRequest): string {
  if (question !== undefined) return "[y]es; [n]o: ";
  const lasting = ungrantable === undefined ? "; [s]ession: this very call, as long as the session" : "";
  const always = grant === undefined || ungrantable !== undefined ? "" : "; [a]lways";
  return `Allow it? [y]es, once${lasting}${always}; [e]dit; [n]o: `;
}

type ReadLine = (question: string, prefilled?: string) => Promise<string | undefined>;

async function toApproval(
  request: ApprovalRequest,
  answer: string | undefined,
  readLine: ReadLine,
): Promise<Approval> {
  const word = answer?.trim().toLowerCase() ?? "";
  const mayLast = request.ungrantable === undefined && request.question === undefined;
  if (word === "y" || word === "yes") return { approved: true, scope: "once" };
  if (mayLast && (word === "s" || word === "session")) return { approved: true, scope: "session" };
  if (mayLast && request.grant !== undefined && (word === "a" || word === "always"))
    return { approved: true, scope: "always" };
  if (request.question === undefined && (word === "e" || word === "edit")) return edit(request, readLine);
  return refused("you said no");
}

/** The input as one line to be changed; what is not an object is no answer. */
async function edit({ input }: ApprovalRequest, readLine: ReadLine): Promise<Approval> {
  const line = await readLine("Run it with: ", visibleJson(JSON.stringify(input)));
  if (line === undefined || line.trim() === "") return refused("you said no");
  const edited = parseObject(line);
  return edited === undefined
    ? refused("what you typed is not a JSON object")
    : { approved: true, scope: "once", input: edited };
}

function parseObject(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What was typed before the question was shown is no answer to it. */
async function dropTypedAhead(stdin: NodeJS.ReadStream): Promise<void> {
  const drop = (): void => undefined;
  stdin.setRawMode(true);
  stdin.on("data", drop);
  await wait(TYPED_AHEAD_MS);
  stdin.off("data", drop);
  stdin.pause();
  stdin.setRawMode(false);
}

interface Reading {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  readonly question: string;
  /** Already typed, for the person to change. */
  readonly prefilled?: string;
}

/** The typed line; undefined where there was none. */
async function readAnswer(reading: Reading): Promise<string | undefined> {
  const { stdin, stderr, signal, question, prefilled } = reading;
  const reader = createInterface({ input: stdin, output: stderr, terminal: true });
  const gone = new AbortController();
  reader.on("SIGINT", () => gone.abort());
  reader.on("close", () => gone.abort());
  try {
    const answered = reader.question(question, { signal: AbortSignal.any([signal, gone.signal]) });
    if (prefilled !== undefined) reader.write(prefilled);
    return await answered;
  } catch {
    stderr.write("\n");
    return undefined;
  } finally {
    reader.close();
  }
}

function refused(reason: string): Approval {
  return { approved: false, reason, hint: "nothing was run" };
}
