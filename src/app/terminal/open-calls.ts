import type { ToolCall } from "../../core/call.ts";
import type { Event, Listener } from "../../core/events.ts";
import type { ToolResult } from "../../core/result.ts";
import type { Extensions } from "../../sources/extension/extensions.ts";
import type { Log } from "../../sources/extension/instance.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { createMasker } from "../../util/text/mask.ts";
import type { Config, ConfigFlags } from "../config/config.ts";
import { openAssembly } from "../host/open-assembly.ts";
import { chooseApprover } from "./approve/choose-approver.ts";
import type { World } from "./input/command.ts";
import { createInterrupt } from "./input/interrupt.ts";
import { createEventLog, describeEvent } from "./print/event-log.ts";
import { tellWarning } from "./open-tools.ts";
import { createProgressLine } from "./print/progress-line.ts";
import { beShortLived } from "./print/short-lived.ts";
import { visible } from "../../util/text/visible.ts";

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
  const isVerbose = flags["verbose"] === true;
  const { assembly, config } = await openAssembly({
    flags,
    approver: (opened) => chooseApprover(flags, world, { mayAsk, ...opened }),
    warn: (warning) => tellWarning(output, warning),
    log: ({ log }) => (log === undefined ? undefined : createEventLog(log, output.tell)),
    startsMcpLate: true,
    ...(isVerbose && { extensionLog: (read: Config) => tellLog(read, output.tell) }),
  });
  const { engine, extensions, session } = assembly;
  const isDrawn = mayAsk && stderr.isTTY && config.variables["TERM"] !== "dumb";
  const progress = isDrawn ? createProgressLine(stderr) : undefined;
  engine.on(tellLoss(output.tell), ["journal.failed"]);
  if (progress !== undefined) engine.on(progress.hear);
  if (isVerbose) engine.on((event) => output.tell(describeEvent(event)));
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

/** An answer that could not be kept is still an answer, but its caller should know. */
function tellLoss(tell: (line: string) => void): Listener {
  return (event: Event) => {
    if (event.type !== "journal.failed") return;
    tell(`toolwright: warning: the call ran, but its answer could not be kept: ${event.message}`);
  };
}
