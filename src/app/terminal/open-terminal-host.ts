import type { Approver } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Log } from "../../sources/extension/instance.ts";
import { defined } from "../../util/json/defined.ts";
import { createConfigMasker } from "../config/config-masker.ts";
import { visible } from "../../util/text/visible.ts";
import { broadFolderWarning } from "../config/broad-folder.ts";
import { loadConfig, type ConfigFlags } from "../config/config.ts";
import type { EnvironmentSettings } from "../config/groups.ts";
import type { Host, Look, LookOptions, RunOptions } from "../host/host.ts";
import { openHost } from "../host/open-host.ts";
import { answeredBy, denyAll } from "../host/approvals/answers.ts";
import type { World } from "./input/command.ts";
import { endOnSignals } from "./input/interrupt.ts";
import { createEventLog, describeEvent } from "./print/event-log.ts";
import { createProgressLine } from "./print/progress-line.ts";
import type { Tool } from "../../core/tool.ts";
import { errorMessage } from "../../util/text/error-message.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { waitForTools, announced } from "./wait-for-tools.ts";

/** Opens the tools for commands that inspect and run nothing; `await using` closes them. Ctrl-C ends the process and the programs it has started. */
export async function openTools(
  flags: ConfigFlags,
  { output, environment }: World,
  options: Pick<LookOptions, "readsSession" | "judges" | "resetsTools" | "startsMcpLate"> = {},
): Promise<Look & AsyncDisposable> {
  const config = loadConfig(flags, environment());
  // Programs and servers run in process groups of their own, which Ctrl-C does not reach.
  const stopEnding = endOnSignals();
  const look = await openHost({
    ...options,
    flags,
    config,
    need: "look",
    warn: output.warn,
  }).catch((error: unknown) => {
    stopEnding();
    throw error;
  });
  const close = async (): Promise<void> => {
    await look.close();
    stopEnding();
  };
  return { ...look, close, [Symbol.asyncDispose]: close };
}

/** A host whose calls are logged and cancelled by Ctrl-C. `await using` closes it. */
interface TerminalHost extends Host, AsyncDisposable {
  /** Aborted when the process is asked to end, or standard output is closed. */
  readonly signal: AbortSignal;
}

interface TerminalHostOptions extends Pick<RunOptions, "mcpServers" | "ruleLayer" | "only"> {
  readonly need: "call" | "stay";
  /** False if standard input is not for answers. */
  readonly mayAsk: boolean;
}

/**
 * Opens a host for a command that runs calls, with the approver, the log and the signals of a terminal. `mayAsk` is false if standard
 * input is not for answers.
 */
export async function openTerminalHost(
  flags: ConfigFlags,
  world: World,
  options: TerminalHostOptions,
): Promise<TerminalHost> {
  const { output } = world;
  const { need, mayAsk, ...more } = options;
  const isVerbose = flags["verbose"] === true;
  const config = loadConfig(flags, world.environment());
  const isBroad = broadFolderWarning(config.paths);
  if (isBroad !== undefined) output.warn(isBroad);
  // From the start: opening a host may start servers, which must not outlive this process.
  const interrupt = world.interrupt();
  // A question reads Ctrl-C as a key: a task ends as if it was a signal, a single call is only denied.
  const onInterrupt = need === "stay" ? () => void world.signals.emit("SIGINT", "SIGINT") : undefined;
  const host = await openHost({
    flags,
    config,
    need,
    readsInstructions: need === "stay",
    ...more,
    ...(await chooseApprovers(flags, world, { mayAsk, onInterrupt })),
    warn: output.warn,
    log: ({ log }) => (log === undefined ? undefined : createEventLog(log, output.log)),
    extensionLog: (of) => (isVerbose ? extensionLog(of.environment, output.log) : undefined),
  }).catch((error: unknown) => {
    interrupt.close();
    throw error;
  });
  const { engine } = host;
  if (!world.isInteractive || !mayAsk)
    host.approver.onQueued(({ tool }) =>
      output.log(`toolwright: ${visible(tool)} waits for approval: run toolwright approve`),
    );
  engine.on(
    ({ message }) => output.warn(`the call ran, but its answer could not be stored: ${message}`),
    ["journal.failed"],
  );
  if (isVerbose) engine.on((event) => output.log(describeEvent(event)));
  const close = async (): Promise<void> => {
    // The answers are printed already: a failure here must not take them away.
    await host
      .close()
      .catch((error: unknown) => output.warn(`the store could not be closed: ${errorMessage(error)}`));
    interrupt.close();
  };
  const signal = AbortSignal.any([interrupt.signal, output.closed]);
  return { ...host, signal, close, [Symbol.asyncDispose]: close };
}

interface ApproverChoice {
  /** False if standard input is not for answers. */
  readonly mayAsk: boolean;
  /** Called on Ctrl-C at a question. */
  readonly onInterrupt?: (() => void) | undefined;
}

/** Returns the approvers that the flags choose. On a terminal, the person there and `toolwright approve` can both answer. */
async function chooseApprovers(
  flags: ConfigFlags,
  world: World,
  { mayAsk, onInterrupt }: ApproverChoice,
): Promise<Pick<RunOptions, "approvers" | "asksQueue">> {
  if (flags["yes"] === true) return { approvers: [allowAll], asksQueue: false };
  if (world.isInteractive && mayAsk) {
    const { createTerminalApprover } = await import("./approve/terminal-approver.ts");
    return { approvers: [answeredBy("the terminal", createTerminalApprover(world, onInterrupt))] };
  }
  if (flags["queue"] === true) return { approvers: [] };
  return { approvers: [denyAll("there is no terminal to prompt on", HEADLESS)], asksQueue: false };
}

/** Approves every request. Calls that policy denies are never requested. */
const allowAll: Approver = {
  ask: () => Promise.resolve({ approved: true, by: "--yes", scope: "once" }),
};

const HEADLESS = "to allow it, add --yes for this call, or --queue to wait for toolwright approve";

/** A host for `call` and `batch`, with a progress line on a terminal. */
export interface Calls extends TerminalHost {
  /** Runs a call in the workspace's own session. */
  run(call: ToolCall): Promise<ToolResult>;
}

const CHOOSES = "activate_tools";
const ABOUT_SOURCES: ReadonlySet<string> = new Set([CHOOSES, "search_tools"]);

/** Opens a host that runs calls and ends. What activate_tools chooses lasts for later calls of the workspace. */
export async function openCalls(
  flags: ConfigFlags,
  world: World,
  { mayAsk, only }: { readonly mayAsk: boolean; readonly only?: string },
): Promise<Calls> {
  const host = await openTerminalHost(flags, world, { need: "call", mayAsk, ...defined({ only }) });
  const { engine, config, session, signal } = host;
  const progress = mayAsk && world.stderr.isTTY ? createProgressLine(world.output) : undefined;
  if (progress !== undefined) engine.on(progress.hear);
  const { callTimeoutMs: timeoutMs } = config.calls;
  // The answer is for a person or a program, not for a model: no fence around untrusted text.
  const place = flags["place"] === "fleet" ? ("fleet" as const) : undefined;
  const runOptions = { session, signal, fence: false, ...defined({ timeoutMs, place }) };
  const close = async (): Promise<void> => {
    progress?.close();
    await host.close();
  };
  let isChosen = false;
  engine.on(({ result }) => (isChosen ||= result.ok && result.name === CHOOSES), ["call.answered"]);
  return {
    ...host,
    async run(call) {
      // The tools about tools see those of all sources, which are loaded only for them.
      if (ABOUT_SOURCES.has(engine.get(call.name)?.name ?? "")) await waitForTools(engine, world);
      const result = await engine.run(call, runOptions);
      if (isChosen) await host.chosenTools.store(engine);
      isChosen = false;
      return result;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a log that prints what extensions log, without secrets. */
function extensionLog(settings: EnvironmentSettings, print: (line: string) => void): Log {
  const masker = createConfigMasker(settings);
  return (extension, message, data) => {
    const rest = data === undefined ? "" : ` ${JSON.stringify(data)}`;
    print(visible(masker.text(`toolwright: extension ${extension}: ${message}${rest}`)));
  };
}

/** Returns the tool of that name; waits only for sources that may provide it, until one does. */
export async function findTool(engine: Engine, name: string, world: World): Promise<Tool | undefined> {
  if (engine.get(name) === undefined) await announced(engine.sources.settled(name), world);
  return engine.get(name);
}
