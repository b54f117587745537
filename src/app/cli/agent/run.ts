import { randomUUID } from "node:crypto";
import type { Outcome } from "../../../agent/runtime/running-agent.ts";
import { ToolError } from "../../../core/errors.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createAgentHost, type AgentHost, type OpenAgent } from "../../host/agent/agent-host.ts";
import { RUN_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { exitCodeOf } from "../../terminal/print/print-result.ts";
import { readTask } from "./read-task.ts";
import { BUDGET_FLAGS, readBudget, readOutputSchema } from "./task-flags.ts";
import { defined } from "../../../util/json/defined.ts";
import type { BudgetSetting } from "../../config/setting-values.ts";
import { openConfiguredModel } from "../../host/open-configured-model.ts";
import { openTerminalHost } from "../../terminal/open-terminal-host.ts";
import { createTaskPrinter, type TaskPrinter } from "./task-printer.ts";

export const run: Command = {
  name: "run",
  summary: "run one task with an agent and print its answer",
  usage: '"TASK" [--model PROVIDER/NAME] [--continue | --resume ID] [--json] [--output-schema FILE]',
  positionals: ["task"],
  flags: {
    model: { summary: "model to use; see docs/models.md", value: "PROVIDER/NAME" },
    json: { summary: "print every event as a JSON line; the last one is the outcome" },
    "output-schema": { summary: "require a JSON answer that matches the schema in this file", value: "FILE" },
    continue: { summary: "resume the last session in this folder", short: "c" },
    resume: { summary: "resume a stored session", value: "ID", short: "r" },
    quiet: { summary: "do not print calls to standard error", short: "q" },
    ...BUDGET_FLAGS,
    ...RUN_FLAGS,
  },
  examples: [
    { line: 'run "How many TODO comments are in src?"', does: "use the configured model" },
    {
      line: 'run "Sort the imports" --mode yolo --max-turns 20',
      does: "let the agent change files, within a limit",
    },
    { line: 'run "Review this change" < changes.diff', does: "add standard input to the task" },
    { line: "run - --json < task.txt", does: "read the task from standard input, print events as JSON" },
  ],
  async run(given, world) {
    const task = await readTask(given, world);
    const opened = await openTask(given, world, {
      session: sessionOf(given),
      budget: readBudget(given),
      outputSchema: readOutputSchema(given, world.environment().cwd),
    });
    const cancel = (): void => void opened.agent.cancel("interrupted");
    opened.signal.addEventListener("abort", cancel, { once: true });
    try {
      const first = await opened.agent.send(task, { signal: opened.signal });
      // Agents that it spawned may still send it messages to answer.
      const outcome = (await opened.team.settled()) ?? first;
      await opened.printer.finish(outcome, opened.agent);
      return exitCodeOfOutcome(outcome);
    } finally {
      await opened.close();
    }
  },
};

/** The session of a task: a stored one, the last one of the workspace, or a new one. */
interface TaskSession {
  /** Undefined for the last one. */
  readonly id: string | undefined;
  readonly isStored: boolean;
}

function sessionOf({ flags }: Arguments): TaskSession {
  const { resume, continue: last } = flags;
  if (last === true && resume !== undefined)
    throw new ToolError("INVALID_INPUT", "--continue and --resume cannot be used together");
  if (last === true) return { id: undefined, isStored: true };
  if (typeof resume === "string") return { id: resume, isStored: true };
  return { id: `run-${randomUUID().slice(0, 8)}`, isStored: false };
}

/** Returns the id of the session that was used last in the workspace. Throws if there is none. */
async function lastSession({ transcripts }: AgentHost, workspace: string): Promise<string> {
  const [last] = await transcripts.list({ workspace, limit: 1 });
  if (last !== undefined) return last.id;
  throw new ToolError("INVALID_INPUT", "no stored session in this folder to continue", {
    hint: "leave out --continue, or see toolwright sessions --all",
  });
}

function exitCodeOfOutcome(outcome: Outcome): number {
  if (outcome.kind === "answered") return 0;
  if (outcome.kind === "failed") return exitCodeOf(outcome.fault);
  if (outcome.why === "cancelled") return exitCodeOf({ code: "CANCELLED" });
  return outcome.why === "time" ? exitCodeOf({ code: "TOOL_TIMEOUT" }) : 1;
}

interface TaskOptions {
  readonly session: TaskSession;
  readonly budget: BudgetSetting;
  readonly outputSchema: JsonObject | undefined;
}

/** An agent for one task at the command line: its events are printed, and Ctrl-C cancels it. */
interface OpenTask extends OpenAgent {
  /** Aborted when the process is asked to end, or standard output is closed. */
  readonly signal: AbortSignal;
  readonly printer: TaskPrinter;
}

/** Opens the model, the engine and the session. Throws a `ToolError` if one of them fails; nothing stays open then. */
async function openTask({ flags }: Arguments, world: World, task: TaskOptions): Promise<OpenTask> {
  const host = await openTerminalHost(flags, world, { need: "stay", mayAsk: true });
  const printer = createTaskPrinter(flags, world);
  const onEvent = printer.hear;
  try {
    const { config, engine, signal } = host;
    const model = await openConfiguredModel(config);
    const agents = createAgentHost(host);
    engine.on(onEvent);
    const { session, budget, outputSchema } = task;
    const agent = await agents.open({
      model,
      session: session.id ?? (await lastSession(agents, config.workspace[0])),
      mustBeKept: session.isStored,
      budget: { ...config.budget, ...budget },
      onEvent,
      ...defined({ outputSchema }),
    });
    printer.start(agent.agent);
    return {
      ...agent,
      printer,
      signal,
      async close() {
        printer.close();
        await agent.close();
        await host.close();
      },
    };
  } catch (error) {
    printer.close();
    await host.close();
    throw error;
  }
}
