import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { Outcome } from "../../agent/runtime/outcome.ts";
import type { Approver } from "../../core/approval.ts";
import { exitCodeOf } from "../terminal/print/print-result.ts";
import { denyAll } from "../host/approvals/answers.ts";
import { approvalQuestion } from "../host/approvals/approval-question.ts";
import { answerPrompt, choiceLines, questionWords } from "../terminal/approve/question-words.ts";
import { ranMs } from "../terminal/print/ran-ms.ts";
import { toApproval } from "../terminal/approve/terminal-approver.ts";
import { HUNG_UP, onEndSignal, onSignal } from "../terminal/input/interrupt.ts";
import { createCommandRunner, parseSlash } from "./command-runner.ts";
import { createOutbox } from "./outbox.ts";
import { LEAVE, parseShell } from "./typed/typed.ts";
import { farewell } from "./state/describe-spent.ts";
import type { ReplOptions, ReplSession } from "./state/session.ts";
import { createPaint } from "../terminal/print/paint.ts";
import { plain } from "./text/plain.ts";
import { callRow } from "./view/call.ts";
import { createSerializer } from "../../util/async/serialize.ts";
import { textOf } from "../../util/text/text-of.ts";

/** Some questions are asked in every mode, whatever the rules say. */
const DENY_ALL: Approver = {
  ask: ({ ungrantable, ...request }) => {
    const hint =
      ungrantable === undefined
        ? "to allow it, add a rule to the policy, or start with --mode yolo"
        : "no rule and no mode allows it: start at a terminal to be asked";
    return denyAll("there is no terminal for the prompt", hint).ask(request, new AbortController().signal);
  },
};

/**
 * Runs the REPL in plain lines: each line of standard input is one message, answers go to standard output, calls and errors to standard
 * error, without escape sequences. Through a pipe every call that needs approval is denied.
 */
export async function runPlain(options: ReplOptions): Promise<number> {
  const { stdin, stderr, open } = options;
  const lines = createLines(stdin, stdin.isTTY ? stderr : undefined, options.message);
  const approver = stdin.isTTY ? createLineApprover(lines, stderr) : DENY_ALL;
  const ending = new AbortController();
  let endCode: number | undefined;
  const end = (code: number): void => {
    endCode ??= code;
    ending.abort();
    lines.close();
  };
  // At a terminal Ctrl-C cancels what runs, and the next line is read.
  const stopListening = onEndSignal(end, stdin.isTTY ? { names: ["SIGTERM", "SIGHUP"] } : undefined);
  // A closed terminal is not always reported by a signal.
  const checkTerminal = (): void => void (stdin.isTTY && !isatty(0) && end(HUNG_UP));
  stdin.once("end", checkTerminal).once("error", checkTerminal);
  try {
    const code = await chat(options, await open(approver), lines, ending.signal);
    return endCode ?? code;
  } finally {
    stopListening();
  }
}

/** Answers the lines until there are no more, the user leaves or the process is to end, then closes the session. Returns the exit code. */
async function chat(
  options: ReplOptions,
  opened: ReplSession,
  lines: Lines,
  ending: AbortSignal,
): Promise<number> {
  const { stdin, stdout, stderr } = options;
  let session = opened;
  let stop = watch(session, options);
  let code = 0;
  const switchTo = (next: ReplSession): void => {
    stop();
    session = next;
    stop = watch(next, options);
  };
  const leaving = new AbortController();
  let messages: string[] = [];
  const send = (text: string): void => void messages.push(text);
  const warn = (line: string): void => void stderr.write(`toolwright: ${plain(line)}\n`);
  const outbox = createOutbox(warn, { isTyped: stdin.isTTY });
  const runner = createCommandRunner(
    {
      switchTo,
      clear: () => undefined,
      leave: () => leaving.abort(),
      send,
      note: outbox.note,
      isTyped: stdin.isTTY,
      onTypedCall: () => undefined,
      showReasoning: () => false,
    },
    () => session,
  );
  const cancel = (): boolean => runner.cancel() || session.agent.cancel("interrupted");
  const interrupt = (): void => void (cancel() || lines.close());
  const stopListening = stdin.isTTY ? onSignal(interrupt, { names: ["SIGINT"] }) : () => undefined;
  ending.addEventListener("abort", cancel);
  try {
    for (const warning of session.warnings) stderr.write(`toolwright: warning: ${plain(warning)}\n`);
    while (!leaving.signal.aborted && !ending.aborted) {
      const text = (await lines.next("> "))?.trim();
      if (text === undefined || ending.aborted) break;
      if (text === "") continue;
      session.history.add(text);
      if (LEAVE.has(text)) break;
      const isOfCommand = parseSlash(text) !== undefined || parseShell(text) !== undefined;
      if (isOfCommand) stdout.write(plain(await runner.run(session, text)));
      else messages = [text];
      for (const message of messages.splice(0))
        code = report((await outbox.send(session, message, { isOfCommand })).outcome, options);
    }
    return code;
  } finally {
    stopListening();
    lines.close();
    stop();
    if (!ending.aborted) stderr.write(farewell({ spent: session.agent.spent(), info: session.info }));
    await session.close();
  }
}

/** Prints the model's text and the answers of its calls. */
function watch({ agent, engine }: ReplSession, { stdout, stderr }: ReplOptions): () => void {
  const stops = [
    agent.on((event) => {
      if (event.type !== "message.added" || event.message.role !== "assistant") return;
      const text = textOf(event.message.parts, "");
      if (text.trim() !== "") stdout.write(`${plain(text).trimEnd()}\n`);
    }),
    engine.on(
      ({ result }) => {
        const callBlock = { kind: "call", summary: "", isOfChild: false, isExpanded: false } as const;
        const block = { ...callBlock, result, durationMs: ranMs(result.meta) };
        const { head, answer } = callRow(block, createPaint({ isColoured: false }));
        stderr.write(`${head}${answer}\n`);
      },
      ["call.answered"],
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Prints an outcome without an answer and returns the exit code. */
function report(outcome: Outcome, { stderr }: ReplOptions): number {
  if (outcome.kind === "answered") return 0;
  if (outcome.kind === "stopped") {
    stderr.write(`toolwright: stopped (${outcome.why}): ${plain(outcome.detail)}\n`);
    return outcome.why === "cancelled" ? 130 : 1;
  }
  const { message, hint } = outcome.fault;
  stderr.write(`toolwright: ${plain(message)}\n${hint === undefined ? "" : `  ${plain(hint)}\n`}`);
  return exitCodeOf(outcome.fault);
}

type Lines = ReturnType<typeof createLines>;

/** Reads lines of standard input, one at a time; a first message comes before them. */
function createLines(stdin: NodeJS.ReadStream, prompts: NodeJS.WriteStream | undefined, message = "") {
  const reader = createInterface({ input: stdin, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  let first: string | undefined = message === "" ? undefined : message;
  return {
    /** Resolves with undefined when there are no more. */
    async next(prompt: string): Promise<string | undefined> {
      const line = first;
      first = undefined;
      if (line !== undefined) return line;
      prompts?.write(prompt);
      // A closed terminal can no longer be read.
      const { value, done } = await lines.next().catch(() => ({ value: undefined, done: true }));
      return done === true ? undefined : value;
    },
    close: () => reader.close(),
  };
}

/** Asks on a terminal that only shows lines: the next line is the answer. */
function createLineApprover(lines: Lines, stderr: NodeJS.WriteStream): Approver {
  const serialize = createSerializer();
  return {
    ask: (request) =>
      serialize(async () => {
        const question = approvalQuestion(request);
        const page = { width: Number.POSITIVE_INFINITY, isTerminal: false };
        stderr.write(`${questionWords(question, request, page)}${choiceLines(question, page)}`);
        return toApproval(question, await lines.next(answerPrompt(question)));
      }),
  };
}
