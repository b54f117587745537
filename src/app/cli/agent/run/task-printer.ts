import type { AgentEvent } from "../../../../agent/runtime/agent-events.ts";
import { dollars, NOTHING_SPENT, type Spent } from "../../../../agent/budget/budget.ts";
import type { TeamHandle } from "../../../../agent/team/team-handle.ts";
import type { RunningAgent } from "../../../../agent/runtime/running-agent.ts";
import type { Outcome } from "../../../../agent/runtime/outcome.ts";
import type { EngineEvent } from "../../../../core/events.ts";
import type { Mode } from "../../../../core/policy.ts";
import type { Arguments, World } from "../../../terminal/input/command.ts";
import { describeCall, describeTaskEvent } from "../../../terminal/print/describe-task-event.ts";
import type { Style } from "../../../terminal/print/paint.ts";
import { printFault } from "../../../terminal/print/print-result.ts";
import { createProgressLine } from "../../../terminal/print/progress-line.ts";
import type { RenderedText } from "./rendered-text.ts";
import { STREAM_VERSION } from "./stream-schema.ts";
import { createDeniedCalls, flagsFor, type DeniedCall } from "./denied-calls.ts";
import { counted } from "../../../../util/text/words.ts";

/** The colours of lines, by their mark. */
const STYLES: Readonly<Record<string, Style>> = { "✗": "red", "!": "yellow", "→": "dim", "…": "dim" };

/** How the answer of a task is printed: as text, as one JSON object, or as a JSON line for each event. */
export const FORMATS = ["text", "json", "stream-json"] as const;
export type Format = (typeof FORMATS)[number];

export interface Printing {
  readonly format: Format;
  /** Renders the answer; undefined: its text is printed as it is, when it is complete. */
  readonly rendered: RenderedText | undefined;
}

/** The task that is printed. */
export interface PrintedTask {
  readonly agent: RunningAgent;
  readonly model: string;
  readonly workspace: string;
  readonly mode: Mode;
  readonly members: TeamHandle["members"];
}

/**
 * Prints one task: its calls on standard error, its answer on standard output. On a terminal the answer is rendered as it comes, and a
 * progress line shows what is running, which `using` removes.
 */
export function createTaskPrinter(
  { flags }: Pick<Arguments, "flags">,
  { output, stderr }: World,
  { format, rendered }: Printing,
) {
  const isQuiet = format === "stream-json" || flags["quiet"] === true;
  const progress = stderr.isTTY && !isQuiet ? createProgressLine(output) : undefined;
  const denied = createDeniedCalls();
  const lines = createLines((text) => output.print(text));
  const streamed = rendered && createStreamedText(rendered);
  let task: PrintedTask | undefined;
  /** The session of an agent ends with its id. */
  const nameOf = (of: string | undefined): string | undefined =>
    of === task?.agent.session ? undefined : task?.members().find(({ id }) => of?.endsWith(`.${id}`))?.name;
  let before = NOTHING_SPENT;
  const log = (line: string, style?: Style): void => void (!isQuiet && output.logWords(line, style, 2));
  return {
    hear: (event: EngineEvent | AgentEvent): void => {
      if (format === "stream-json") lines.add(event);
      denied.hear(event);
      // The text before a call ends where the line of the call begins.
      if (event.session === task?.agent.session) streamed?.hear(event);
      const line = describeTaskEvent(event, nameOf(event.session));
      if (line !== undefined) log(line, STYLES[line[0] ?? ""]);
      progress?.hear(event);
    },
    /** Counts what is spent from now on, and names the other agents of the team. */
    start(started: PrintedTask): void {
      task = started;
      before = started.agent.spent();
      if (format === "stream-json") lines.start(firstLine(started));
    },
    /** Prints the answer, unless it was streamed, then the totals and the calls that were denied. */
    async finish(outcome: Outcome, printed: PrintedTask): Promise<void> {
      const { agent } = printed;
      progress?.close();
      if (format !== "text") {
        const version = format === "json" ? { version: STREAM_VERSION } : {};
        const last = { ...lastLine(printed, denied.list()), ...version, ...outcome };
        await output.print(`${JSON.stringify(last)}\n`);
      } else if (outcome.kind === "answered") {
        const text = answerText(outcome);
        if (streamed === undefined) await output.print(text.endsWith("\n") ? text : `${text}\n`);
        else streamed.finish(text);
      }
      if (outcome.kind === "failed") printFault("run", outcome.fault, output);
      if (outcome.kind === "stopped") output.log(`toolwright: stopped (${outcome.why}): ${outcome.detail}`);
      if (flags["quiet"] !== true)
        for (const line of deniedLines(denied.list(), { isNamed: isQuiet })) output.log(line, "red");
      log(totals(before, agent.spent()), "dim");
      log(`session ${agent.session}; resume with: toolwright run --resume ${agent.session} "…"`, "dim");
    },
    /** The calls that were denied so far. */
    denied: denied.list,
    /** Removes the progress line. */
    [Symbol.dispose]: () => progress?.close(),
  };
}

function firstLine({ agent: { session }, model, mode, workspace }: PrintedTask) {
  return { type: "run.started", at: Date.now(), session, version: STREAM_VERSION, model, mode, workspace };
}

function lastLine({ agent, model }: PrintedTask, denied: readonly DeniedCall[]) {
  const { session } = agent;
  return { type: "outcome", at: Date.now(), session, model, spent: agent.spent(), denied };
}

/** Renders the model's text as it comes, before the calls that follow it. */
function createStreamedText(rendered: RenderedText) {
  let streamed = "";
  return {
    hear(event: EngineEvent | AgentEvent): void {
      if (event.type === "turn.started") streamed = "";
      if (event.type === "turn.started" || event.type === "call.received") rendered.end();
      if (event.type !== "model.text") return;
      streamed += event.text;
      rendered.add(event.text);
    },
    /** Renders what is left of the answer: all of it, if the last turn streamed nothing. */
    finish(answer: string): void {
      if (streamed.trim() === "") rendered.add(answer);
      rendered.end();
    },
  };
}

/** Returns the answer as it is printed. */
export function answerText({ text, data }: Extract<Outcome, { readonly kind: "answered" }>): string {
  return data === undefined ? text : JSON.stringify(data, null, 2);
}

/** Prints events as lines of JSON, each with its time and its session. Those before the first line wait for it. */
function createLines(print: World["output"]["print"]) {
  let waiting: (EngineEvent | AgentEvent)[] | undefined = [];
  let session = "";
  const write = (line: object): void => void print(`${JSON.stringify(line)}\n`);
  const writeEvent = (event: EngineEvent | AgentEvent): void =>
    write({ ...event, at: "at" in event ? event.at : Date.now(), session: event.session ?? session });
  return {
    start(first: Readonly<Record<string, unknown>> & { readonly session: string }): void {
      session = first.session;
      write(first);
      for (const event of waiting ?? []) writeEvent(event);
      waiting = undefined;
    },
    add(event: EngineEvent | AgentEvent): void {
      if (waiting === undefined) writeEvent(event);
      else waiting.push(event);
    },
  };
}

/** Returns how many calls were denied and what would allow them; `isNamed`: with the calls, which no line before has. */
function deniedLines(
  denied: readonly DeniedCall[],
  { isNamed }: { readonly isNamed: boolean },
): readonly string[] {
  if (denied.length === 0) return [];
  const count = counted(denied.length, "call was denied", "calls were denied");
  const flags = flagsFor(denied);
  const way =
    flags.length === 0 ? [] : [`  to allow ${denied.length === 1 ? "it" : "them"}, add: ${flags.join(" ")}`];
  return [isNamed ? `${count}: ${denied.map(describeCall).join("; ")}` : count, ...way];
}

/** Describes what a task has spent; the price only if it is known. */
function totals(before: Spent, after: Spent): string {
  const [turns, calls] = [after.turns - before.turns, after.calls - before.calls];
  const money = after.money === undefined ? undefined : after.money - (before.money ?? 0);
  return [
    counted(turns, "turn"),
    counted(calls, "call"),
    `${after.tokens - before.tokens} tokens`,
    ...(money === undefined ? [] : [dollars(money)]),
    `${((after.timeMs - before.timeMs) / 1000).toFixed(1)} s`,
  ].join(", ");
}
