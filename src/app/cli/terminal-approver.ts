import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, ApprovalRequest, Approver } from "../../core/approval.ts";
import type { Fact } from "../../core/fact.ts";
import { visible } from "./visible.ts";

const QUESTION = "Allow it? [y]es, once; [s]ession: this very call, as long as the session; [n]o: ";

/** How long the terminal takes, at most, to hand over what is waiting in it. */
const TYPED_AHEAD_MS = 50;

/** Asks the person at the terminal, one question at a time. Ctrl-C, Ctrl-D and anything unclear mean no. */
export function createTerminalApprover(stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Approver {
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (request: ApprovalRequest, signal: AbortSignal): Promise<Approval> => {
    await dropTypedAhead(stdin);
    if (signal.aborted) return refused("the call was cancelled");
    stderr.write(describeRequest(request));
    const answer = await readAnswer(stdin, stderr, signal);
    return toApproval(answer);
  };
  return {
    ask(request, signal) {
      const answered = last.then(() => ask(request, signal));
      last = answered;
      return answered;
    },
  };
}

/** Everything that is about to happen, with nothing in it that the terminal would act on. */
export function describeRequest({ tool, risk, reason, input, facts, question }: ApprovalRequest): string {
  const lines = [
    "",
    question === undefined ? `${tool} wants to run (${risk} risk)` : `${tool} asks`,
    `  ${visible(reason)}`,
    ...visible(JSON.stringify(input, undefined, 2))
      .split("\n")
      .map((line) => `  ${line}`),
    ...facts.map((fact) => `  touches: ${visible(describeFact(fact))}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Something a call would touch, in a few words. */
export function describeFact(fact: Fact): string {
  if (fact.kind === "path") return `${fact.access} ${fact.path}${fact.inode === undefined ? " (new)" : ""}`;
  if (fact.kind === "command") return `command ${fact.text} (in ${fact.cwd})`;
  if (fact.kind === "mcp") return `MCP server ${fact.server}, tool ${fact.tool}`;
  return `host ${fact.host}`;
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

/** The typed line; undefined where there was none. */
async function readAnswer(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = createInterface({ input: stdin, output: stderr, terminal: true });
  const gone = new AbortController();
  reader.on("SIGINT", () => gone.abort());
  reader.on("close", () => gone.abort());
  try {
    return await reader.question(QUESTION, { signal: AbortSignal.any([signal, gone.signal]) });
  } catch {
    stderr.write("\n");
    return undefined;
  } finally {
    reader.close();
  }
}

function toApproval(answer: string | undefined): Approval {
  const word = answer?.trim().toLowerCase() ?? "";
  if (word === "y" || word === "yes") return { approved: true, scope: "once" };
  if (word === "s" || word === "session") return { approved: true, scope: "session" };
  return refused("you said no");
}

function refused(reason: string): Approval {
  return { approved: false, reason, hint: "nothing was run" };
}
