import { resolve } from "node:path";
import type { Outcome } from "../../../agent/runtime/outcome.ts";
import { ToolError } from "../../../core/errors.ts";
import { defined } from "../../../util/json/defined.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import { counted } from "../../../util/text/words.ts";
import { createAgentHost } from "../../host/agent/agent-host.ts";
import type { Host } from "../../host/host.ts";
import { openUsableModel } from "../../host/open-configured-model.ts";
import { textFlag } from "../../terminal/input/check-arguments.ts";
import { RUN_FLAGS, type Arguments, type Command, type World } from "../../terminal/input/command.ts";
import { loadConfig } from "../../config/config.ts";
import { stateFoldersOf } from "../../config/folders.ts";
import { writeOutput } from "../../config/files/write-files.ts";
import { openTerminalHost } from "../../terminal/open-terminal-host.ts";
import { createPaint } from "../../terminal/print/paint.ts";
import { exitCodeOf } from "../../terminal/print/print-result.ts";
import { DEFAULT_WIDTH } from "../../terminal/print/wrap.ts";
import { PATTERN_FLAGS, readRuleLayer } from "./rule-patterns.ts";
import type { RenderedText } from "./run/rendered-text.ts";
import { messageOf, readTask, type Task } from "./run/read-task.ts";
import { answerText, createTaskPrinter, FORMATS, type Format } from "./run/task-printer.ts";
import { BUDGET_FLAGS, MODEL_FLAG, readBudget, readOutputSchema, resumedSession } from "./task-flags.ts";
import { PLACE_FLAGS, readMcpServers, worldOf } from "./task-world.ts";

export const run: Command = {
  name: "run",
  summary: "run one task with an agent and print its answer",
  usage:
    '"TASK" [--model PROVIDER/NAME] [--continue | --resume ID] [--allow PATTERN] [--output-format FORMAT] [--output FILE]',
  notes:
    "Exit code: 0 if the agent answered, also if calls were denied on the way; with --fail-on-denied it is 3 then. 1 if the task failed or a limit of turns, tokens or money ended it, 2 for wrong usage, 4 if its time was over, 130 after Ctrl-C.",
  positionals: ["entry"],
  flags: {
    ...MODEL_FLAG,
    "output-format": {
      summary: "what standard output gets: the answer, the outcome as JSON, or every event as a JSON line",
      value: "FORMAT",
      choices: FORMATS,
    },
    json: { summary: "the same as --output-format stream-json" },
    output: { summary: "write the answer to this file, too", value: "FILE", short: "o" },
    "output-schema": { summary: "require a JSON answer that matches the schema in this file", value: "FILE" },
    image: { summary: "attach an image or another file to the task", value: "FILE", isRepeatable: true },
    continue: { summary: "resume the last session in this folder", short: "c" },
    resume: { summary: "resume a stored session", value: "ID", short: "r" },
    quiet: { summary: "do not print calls to standard error", short: "q" },
    "fail-on-denied": { summary: "exit with 3 if a call was denied" },
    ...PATTERN_FLAGS,
    ...PLACE_FLAGS,
    ...BUDGET_FLAGS,
    ...RUN_FLAGS,
  },
  examples: {
    'run "How many TODO comments are in src?"': "use the configured model",
    'run "Sort the imports" --mode yolo --max-turns 20': "let the agent change files, within a limit",
    "run \"Fix the test\" --mode edits --allow 'npm test' --fail-on-denied":
      "for CI: what may run, and exit code 3 if that was not enough",
    'run "Review this change" < changes.diff': "add standard input to the task",
    'run "What is wrong in @src/sum.ts:10-40?"': "attach lines of a file",
    "run - --output-format stream-json < task.txt": "read the task from standard input, print events as JSON",
  },
  async run(given, world) {
    const task = await readTask(given, world);
    return runTask(given, worldOf(given, world), task);
  },
};

async function runTask(given: Arguments, world: World, task: Task): Promise<number> {
  const { flags } = given;
  const { cwd } = world.environment();
  const resume = resumedSession(given);
  const budget = readBudget(given);
  const outputSchema = readOutputSchema(given, cwd);
  const mcpServers = readMcpServers(given, cwd);
  const ruleLayer = await readRuleLayer(given, loadConfig(flags, world.environment()));
  await using host = await openTerminalHost(flags, world, {
    need: "stay",
    mayAsk: true,
    ...defined({ mcpServers, ruleLayer }),
  });
  const format = formatOf(given);
  const rendered = await rendererOf(format, given, world);
  using printer = createTaskPrinter(given, world, { format, rendered });
  const { config, engine, signal } = host;
  const model = await openUsableModel(config, engine.masker.learn, world.output.warn);
  const agents = createAgentHost(host);
  engine.on(printer.hear);
  await using opened = await agents.open({
    model,
    resume,
    kind: "run",
    budget: { ...config.agent.budget, ...budget },
    onEvent: printer.hear,
    ...defined({ outputSchema, instructions: textFlag(given, "append-system-prompt") }),
  });
  const { agent, team } = opened;
  const message = await messageOf(task, given, { host, opened, warn: world.output.warn });
  const workspace = config.paths.workspace[0];
  const printed = {
    agent,
    model: model.id,
    workspace,
    mode: config.policy.mode,
    members: () => team.members(),
  };
  printer.start(printed);
  // Ctrl-C, or a closed standard output.
  signal.addEventListener("abort", () => void agent.cancel("interrupted"), { once: true });
  const first = await agent.send(message, { signal });
  // Agents that it spawned may still send it messages to answer.
  const outcome = (await team.settled()) ?? first;
  await printer.finish(outcome, printed);
  if (flags["quiet"] !== true) warnOfMissing(engine, world);
  await writeAnswer(outcome, given, { cwd, changes: stateFoldersOf(config.paths).changes });
  const code = exitCodeOfOutcome(outcome);
  const isRefused = flags["fail-on-denied"] === true && printer.denied().length > 0;
  return code === 0 && isRefused ? exitCodeOf({ code: "DENIED" }) : code;
}

/** Returns what renders the answer on a terminal; undefined for a pipe, a file and JSON. */
async function rendererOf(
  format: Format,
  { flags }: Arguments,
  { stdout, output, environment }: World,
): Promise<RenderedText | undefined> {
  if (!stdout.isTTY || format !== "text" || flags["output-schema"] !== undefined) return undefined;
  const { createRenderedText } = await import("./run/rendered-text.ts");
  const { variables } = environment();
  const { NO_COLOR: noColour, TERM: kind } = variables;
  const isColoured = !noColour && kind !== "dumb";
  const paint = createPaint({ isColoured, depth: stdout.getColorDepth(variables) });
  return createRenderedText(
    (text) => void output.draw(text),
    () => ({ width: stdout.columns || DEFAULT_WIDTH, paint }),
  );
}

/** Warns of servers whose tools, or some of them, the agent did not have. */
function warnOfMissing({ sources }: Host["engine"], { output }: World): void {
  const problems = sources.problems();
  for (const { subject, reason, message } of problems)
    if (reason === "unreachable" || reason === "unauthorized")
      output.warn(
        `the task ran without the tools of ${subject}: ${message}; see toolwright tools --problems`,
      );
  const changed = problems.filter(({ reason }) => reason === "changed");
  for (const [hint = "see toolwright tools --problems", those] of Map.groupBy(changed, (one) => one.hint)) {
    const what = counted(those.length, "tool that was changed or added", "tools that were changed or added");
    output.warn(`the task ran without ${what} since you approved the server: ${hint}`);
  }
}

function formatOf(given: Arguments): Format {
  const format = textFlag(given, "output-format");
  if (given.flags["json"] !== true) return (format as Format | undefined) ?? "text";
  if (format === undefined || format === "stream-json") return "stream-json";
  throw new ToolError("INVALID_INPUT", `--json and --output-format ${format} cannot be used together`, {
    hint: "--json is the same as --output-format stream-json",
  });
}

async function writeAnswer(
  outcome: Outcome,
  given: Arguments,
  { cwd, changes }: { readonly cwd: string; readonly changes: string },
): Promise<void> {
  const file = textFlag(given, "output");
  if (file === undefined || outcome.kind !== "answered") return;
  const text = answerText(outcome);
  const output = { path: resolve(cwd, file), text: text.endsWith("\n") ? text : `${text}\n` };
  try {
    await writeOutput(output, changes);
  } catch (error) {
    throw new ToolError("TOOL_FAILED", `--output: cannot write ${file}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

function exitCodeOfOutcome(outcome: Outcome): number {
  if (outcome.kind === "answered") return 0;
  if (outcome.kind === "failed") return exitCodeOf(outcome.fault);
  if (outcome.why === "cancelled") return exitCodeOf({ code: "CANCELLED" });
  return outcome.why === "time" ? exitCodeOf({ code: "TOOL_TIMEOUT" }) : 1;
}
