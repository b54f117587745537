import type { Outcome } from "../../../agent/runtime/running-agent.ts";
import { ToolError } from "../../../core/errors.ts";
import { createAgentHost } from "../../host/agent/agent-host.ts";
import { RUN_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { readStdinText } from "../../terminal/input/read-stdin.ts";
import { exitCodeOf } from "../../terminal/print/print-result.ts";
import { BUDGET_FLAGS, readBudget, readOutputSchema, resumedSession } from "./task-flags.ts";
import { defined } from "../../../util/json/defined.ts";
import { openConfiguredModel } from "../../host/open-configured-model.ts";
import { openTerminalHost } from "../../terminal/open-terminal-host.ts";
import { createTaskPrinter } from "./task-printer.ts";

/** How long a pipe may stay silent: an inherited one may be open without ever being written to. */
const SILENCE_MS = 3000;
const MAX_CHARACTERS = 1024 * 1024;

export const run: Command = {
  name: "run",
  summary: "run one task with an agent and print its answer",
  usage: '"TASK" [--model PROVIDER/NAME] [--continue | --resume ID] [--json] [--output-schema FILE]',
  positionals: ["entry"],
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
  examples: {
    'run "How many TODO comments are in src?"': "use the configured model",
    'run "Sort the imports" --mode yolo --max-turns 20': "let the agent change files, within a limit",
    'run "Review this change" < changes.diff': "add standard input to the task",
    "run - --json < task.txt": "read the task from standard input, print events as JSON",
  },
  async run(given, world) {
    const { flags } = given;
    const task = await readTask(given, world);
    const resume = resumedSession(given);
    const budget = readBudget(given);
    const outputSchema = readOutputSchema(given, world.environment().cwd);
    await using host = await openTerminalHost(flags, world, { need: "stay", mayAsk: true });
    using printer = createTaskPrinter(flags, world);
    const { config, engine, signal } = host;
    const model = await openConfiguredModel(config);
    const agents = createAgentHost(host);
    engine.on(printer.hear);
    await using opened = await agents.open({
      model,
      resume,
      kind: "run",
      budget: { ...config.agent.budget, ...budget },
      onEvent: printer.hear,
      ...defined({ outputSchema }),
    });
    const { agent, team } = opened;
    printer.start(agent, () => team.members());
    // Ctrl-C, or a closed standard output.
    signal.addEventListener("abort", () => void agent.cancel("interrupted"), { once: true });
    const first = await agent.send(task, { signal });
    // Agents that it spawned may still send it messages to answer.
    const outcome = (await team.settled()) ?? first;
    await printer.finish(outcome, agent);
    return exitCodeOfOutcome(outcome);
  },
};

function exitCodeOfOutcome(outcome: Outcome): number {
  if (outcome.kind === "answered") return 0;
  if (outcome.kind === "failed") return exitCodeOf(outcome.fault);
  if (outcome.why === "cancelled") return exitCodeOf({ code: "CANCELLED" });
  return outcome.why === "time" ? exitCodeOf({ code: "TOOL_TIMEOUT" }) : 1;
}

/** Returns the task: the arguments, followed by what is piped to standard input. Throws if there is neither. */
async function readTask({ positionals }: Arguments, world: World): Promise<string> {
  const text = positionals.join(" ").trim();
  const isAll = text === "-" || text === "";
  const piped =
    text === "-" ? await readAll(world.stdin) : await readPiped(world, isAll ? undefined : SILENCE_MS);
  if (piped.length > MAX_CHARACTERS)
    throw new ToolError("INVALID_INPUT", "standard input is over 1 MB, too long for a task", {
      hint: "write it to a file and name the file in the task",
    });
  const task = isAll ? piped : [text, ...(piped === "" ? [] : [`Standard input:\n\n${piped}`])].join("\n\n");
  if (task !== "") return task;
  throw new ToolError("INVALID_INPUT", 'missing task: toolwright run "TASK"', {
    hint: "the task can also be piped: toolwright run < task.txt",
  });
}

/** Returns the text of standard input, empty on a terminal or if nothing comes in time. */
async function readPiped({ stdin, output }: World, silenceMs: number | undefined): Promise<string> {
  if (stdin.isTTY) return "";
  if (silenceMs === undefined || (await speaks(stdin, silenceMs))) return readAll(stdin);
  output.log(`toolwright: nothing on standard input for ${silenceMs / 1000} s; going on without it`);
  stdin.destroy();
  return "";
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  return (await readStdinText(stdin)).trim();
}

/** Resolves with false if the stream neither has data nor ends within the time. */
function speaks(stdin: NodeJS.ReadStream, silenceMs: number): Promise<boolean> {
  if (stdin.readableLength > 0 || stdin.readableEnded) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (isSpeaking: boolean): void => {
      clearTimeout(timer);
      for (const event of EVENTS) stdin.off(event, heard);
      resolve(isSpeaking);
    };
    const heard = (): void => settle(true);
    const timer = setTimeout(() => settle(false), silenceMs);
    for (const event of EVENTS) stdin.on(event, heard);
  });
}

const EVENTS = ["readable", "end", "error"] as const;
