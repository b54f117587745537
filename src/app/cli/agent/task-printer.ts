import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import { dollars, NOTHING_SPENT, type Spent } from "../../../agent/budget/budget.ts";
import type { TeamHandle } from "../../../agent/team/team-handle.ts";
import type { Outcome, RunningAgent } from "../../../agent/runtime/running-agent.ts";
import type { EngineEvent } from "../../../core/events.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { describeCall, describeTaskEvent } from "../../terminal/print/describe-task-event.ts";
import type { Style } from "../../terminal/print/paint.ts";
import { printFault } from "../../terminal/print/print-result.ts";
import { createProgressLine } from "../../terminal/print/progress-line.ts";
import { counted } from "../../../util/text/words.ts";

/** The colours of lines, by their mark. */
const STYLES: Readonly<Record<string, Style>> = { "✗": "red", "!": "yellow", "→": "dim", "…": "dim" };

/**
 * Prints one task: its calls on standard error, its answer on standard output. On a terminal the answer is streamed, and a progress line
 * shows what is running, which `using` removes.
 */
export function createTaskPrinter(flags: Arguments["flags"], { output, stdout, stderr }: World) {
  const isJson = flags["json"] === true;
  const isQuiet = isJson || flags["quiet"] === true;
  const isStreamed = stdout.isTTY && !isJson && flags["output-schema"] === undefined;
  const progress = stderr.isTTY && !isQuiet ? createProgressLine(output) : undefined;
  const denied = createDenied();
  let session: string | undefined;
  let team: TeamHandle["members"] = () => [];
  /** The session of an agent ends with its id. */
  const nameOf = (of: string | undefined): string | undefined =>
    of === session ? undefined : team().find(({ id }) => of?.endsWith(`.${id}`))?.name;
  let before = NOTHING_SPENT;
  let streamed = "";
  const log = (line: string, style?: Style): void => void (!isQuiet && output.log(line, style));
  const stream = (event: EngineEvent | AgentEvent): void => {
    if (event.type === "turn.started" && event.session === session) {
      if (streamed !== "" && !streamed.endsWith("\n")) void output.print("\n");
      streamed = "";
    }
    if (event.type !== "model.text" || event.session !== session) return;
    streamed += event.text;
    void output.print(event.text);
  };
  return {
    hear: (event: EngineEvent | AgentEvent): void => {
      if (isJson) void output.print(`${JSON.stringify(event)}\n`);
      denied.hear(event);
      const line = describeTaskEvent(event, nameOf(event.session));
      if (line !== undefined) log(line, STYLES[line[0] ?? ""]);
      progress?.hear(event);
      if (isStreamed) stream(event);
    },
    /** Counts what is spent from now on, and names the other agents of the team. */
    start(agent: RunningAgent, members: TeamHandle["members"]): void {
      session = agent.session;
      team = members;
      before = agent.spent();
    },
    /** Prints the answer, unless it was streamed, then the totals and the calls that were denied. */
    async finish(outcome: Outcome, agent: RunningAgent): Promise<void> {
      progress?.close();
      if (isJson) {
        const last = { type: "outcome", session: agent.session, spent: agent.spent(), ...outcome };
        await output.print(`${JSON.stringify(last)}\n`);
      } else if (outcome.kind === "answered") {
        const text = outcome.data === undefined ? outcome.text : JSON.stringify(outcome.data, null, 2);
        const rest = streamed.trim() === "" ? text : "";
        await output.print(text.endsWith("\n") ? rest : `${rest}\n`);
      }
      if (outcome.kind === "failed") printFault("run", outcome.fault, output);
      if (outcome.kind === "stopped") output.log(`toolwright: stopped (${outcome.why}): ${outcome.detail}`);
      for (const line of denied.lines()) log(line, "red");
      log(totals(before, agent.spent()), "dim");
      log(`session ${agent.session}; resume with: toolwright run --resume ${agent.session} "…"`, "dim");
    },
    /** Removes the progress line. */
    [Symbol.dispose]: () => progress?.close(),
  };
}

/** Collects the calls that were denied, each as it was described. */
function createDenied() {
  const described = new Map<string, string>();
  const denied: string[] = [];
  return {
    hear(event: EngineEvent | AgentEvent): void {
      if (event.type === "call.received") described.set(event.callId, describeCall(event));
      if (event.type !== "call.answered") return;
      const { callId, result } = event;
      if (!result.ok && result.error.code === "DENIED") denied.push(described.get(callId) ?? result.name);
      described.delete(callId);
    },
    lines(): readonly string[] {
      if (denied.length === 0) return [];
      const count = counted(denied.length, "call was denied", "calls were denied");
      return [`${count}: ${denied.join("; ")}`];
    },
  };
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
