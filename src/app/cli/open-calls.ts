import type { Approver } from "../../core/approval.ts";
import type { ToolCall } from "../../core/call.ts";
import type { Event, Listener } from "../../core/events.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Extensions } from "../../sources/extension/extensions.ts";
import type { Log } from "../../sources/extension/instance.ts";
import type { Engine } from "../../engine/engine.ts";
import { createMasker } from "../../engine/mask.ts";
import { createApprovalQueue } from "../../store/approval-queue.ts";
import { applyTrust } from "../apply-trust.ts";
import { assemble } from "../assemble.ts";
import { configuredPolicy } from "../configured-policy.ts";
import type { Config, ConfigFlags } from "../config.ts";
import { loadConfig } from "../config.ts";
import { firstAnswer } from "../first-answer.ts";
import type { Store } from "../open-configured-store.ts";
import { openConfiguredStore } from "../open-configured-store.ts";
import { allowAll, createHeadlessApprover } from "./approvers.ts";
import type { World } from "./command.ts";
import { createInterrupt } from "./interrupt.ts";
import { createEventLog, describeEvent } from "./event-log.ts";
import { tellWarning } from "./open-tools.ts";
import { createProgressLine } from "./progress-line.ts";
import { beShortLived } from "./short-lived.ts";
import { visible } from "./visible.ts";

/** An engine that runs calls for the command line: kept, logged, cancelled by Ctrl-C. */
export interface Calls {
  readonly engine: Engine;
  readonly config: Config;
  readonly extensions: Extensions;
  /** The workspace's own. */
  readonly session: string;
  /** Aborted when the process is asked to end, or nobody reads its output any more. */
  readonly signal: AbortSignal;
  run(call: ToolCall): Promise<ToolResult>;
  /** Ends what is still running and closes the store. */
  close(): Promise<void>;
}

export interface OpenCallsOptions {
  /** False where standard input is not for answers. */
  readonly mayAsk: boolean;
}

/** Reads the settings, opens the store and puts the engine together. Throws a `ToolError` where one of them cannot be had. */
export async function openCalls(
  flags: ConfigFlags,
  world: World,
  { mayAsk }: OpenCallsOptions,
): Promise<Calls> {
  const { output, stderr } = world;
  beShortLived();
  const untrusted = loadConfig(flags);
  const store = await openConfiguredStore(untrusted);
  const { config, isTrusted, trust, warnings } = await applyTrust(flags, untrusted, store.collections);
  const { policy, warnings: ofRules } = await configuredPolicy(config, trust);
  for (const warning of [...config.warnings, ...warnings, ...ofRules]) tellWarning(output, warning);
  const log = config.log === undefined ? {} : { log: createEventLog(config.log, output.tell) };
  const approver = await chooseApprover(flags, world, { mayAsk, store, config });
  const assembly = assemble(config, {
    store,
    approver,
    policy,
    isTrusted,
    startsMcpLate: true,
    ...log,
    ...(flags["verbose"] === true && { extensionLog: tellLog(config, output.tell) }),
  });
  for (const warning of assembly.warnings) tellWarning(output, warning);
  const { engine, extensions, session } = assembly;
  const isDrawn = mayAsk && stderr.isTTY && config.variables["TERM"] !== "dumb";
  const progress = isDrawn ? createProgressLine(stderr) : undefined;
  engine.on(tellLoss(output.tell), ["journal.failed"]);
  if (progress !== undefined) engine.on(progress.hear);
  if (flags["verbose"] === true) engine.on((event) => output.tell(describeEvent(event)));
  const interrupt = createInterrupt();
  const signal = AbortSignal.any([interrupt.signal, output.closed]);
  const { callTimeoutMs } = config;
  const timeout = callTimeoutMs === undefined ? {} : { timeoutMs: callTimeoutMs };
  // Whoever reads the answer here is no model.
  const runOptions = { session, signal, fence: false, ...timeout };
  return {
    engine,
    config,
    extensions,
    session,
    signal,
    run: (call) => engine.run(call, runOptions),
    async close() {
      progress?.close();
      // The answers are there already: what fails now is told, and takes none of them away.
      await assembly
        .close()
        .catch((error: unknown) => tellWarning(output, `the store could not be closed: ${String(error)}`));
      interrupt.close();
    },
  };
}

/** What an extension logs, without secrets, as a line for a person. */
function tellLog({ secrets }: Config, tell: (line: string) => void): Log {
  const masker = createMasker(secrets);
  return (extension, message, data) => {
    const rest = data === undefined ? "" : ` ${JSON.stringify(data)}`;
    tell(visible(masker.text(`toolwright: extension ${extension}: ${message}${rest}`)));
  };
}

interface Choice extends OpenCallsOptions {
  readonly store: Store;
  readonly config: Config;
}

/** A person at the terminal and whoever looks into the queue can both answer; the first answer is the one. */
async function chooseApprover(
  flags: ConfigFlags,
  { isInteractive, stdin, stderr, output }: World,
  { mayAsk, store, config }: Choice,
): Promise<Approver> {
  if (flags["yes"] === true) return allowAll;
  const isSeen = isInteractive && mayAsk;
  if (!isSeen && flags["queue"] !== true) return createHeadlessApprover();
  const mask = createMasker(config.secrets).text;
  const queued = createApprovalQueue(store.collections, { mask }).approver;
  if (!isSeen) return tellingOf(queued, output.tell);
  const { createTerminalApprover } = await import("./terminal-approver.ts");
  return firstAnswer([createTerminalApprover({ stdin, stderr }), queued]);
}

/** Whoever started the call sees what it waits for. */
function tellingOf(approver: Approver, tell: (line: string) => void): Approver {
  return {
    ask(request, signal) {
      tell(`toolwright: ${visible(request.tool)} waits for an approval: run toolwright approve`);
      return approver.ask(request, signal);
    },
  };
}

/** An answer that could not be kept is still an answer, but its caller should know. */
function tellLoss(tell: (line: string) => void): Listener {
  return (event: Event) => {
    if (event.type !== "journal.failed") return;
    tell(`toolwright: warning: the call ran, but its answer could not be kept: ${event.message}`);
  };
}
