import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Event } from "../../../core/events.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadConfig } from "../../config/config.ts";
import type { BudgetSetting } from "../../config/models-setting.ts";
import type { OpenAgent } from "../../host/agent/agent-host.ts";
import { createAgentHost } from "../../host/agent/agent-host.ts";
import { openAssembly } from "../../host/open-assembly.ts";
import { openConfiguredModel } from "../../host/open-configured-model.ts";
import { chooseApprover } from "../../terminal/approve/choose-approver.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { createEventLog, describeEvent } from "../../terminal/print/event-log.ts";
import { createInterrupt } from "../../terminal/input/interrupt.ts";
import { tellWarning } from "../../terminal/open-tools.ts";
import { describeTaskEvent } from "../../terminal/print/tell-task.ts";

export interface TaskOptions {
  readonly session: { readonly id: string; readonly isKept: boolean };
  readonly budget: BudgetSetting;
  readonly outputSchema: JsonObject | undefined;
}

/** An agent for one task at the command line: what it does is told, and Ctrl-C cancels it. */
export interface OpenTask extends OpenAgent {
  /** Aborted when the process is asked to end, or nobody reads its output any more. */
  readonly signal: AbortSignal;
  /** Tells a line on standard error, unless it shall be quiet. */
  readonly tell: (line: string) => void;
}

/** Opens the model, the engine and the session. Throws a `ToolError` where one of them cannot be had. */
export async function openTask({ flags }: Arguments, world: World, task: TaskOptions): Promise<OpenTask> {
  const { output } = world;
  const untrusted = loadConfig(flags);
  const opened = await openAssembly({
    flags,
    untrusted,
    approver: (these) => chooseApprover(flags, world, { mayAsk: true, ...these }),
    warn: (warning) => tellWarning(output, warning),
    log: ({ log }) => (log === undefined ? undefined : createEventLog(log, output.tell)),
    isLongLived: true,
  });
  const interrupt = createInterrupt();
  const isJson = flags["json"] === true;
  const isQuiet = isJson || flags["quiet"] === true;
  const tell = (line: string): void => void (!isQuiet && output.tell(line));
  const hear = (event: Event | AgentEvent): void => {
    if (isJson) void output.print(`${JSON.stringify(event)}\n`);
    const told = describeTaskEvent(event);
    if (told !== undefined) tell(told);
  };
  try {
    const { config, assembly } = opened;
    const model = await openConfiguredModel(config);
    const host = createAgentHost(opened);
    assembly.engine.on(hear);
    if (flags["verbose"] === true) assembly.engine.on((event) => output.tell(describeEvent(event)));
    const { session, budget, outputSchema } = task;
    const agent = await host.open({
      model,
      session: session.id,
      mustBeKept: session.isKept,
      budget: { ...config.budget, ...budget },
      onEvent: hear,
      ...(outputSchema !== undefined && { outputSchema }),
    });
    return {
      ...agent,
      tell,
      signal: AbortSignal.any([interrupt.signal, output.closed]),
      async close() {
        await agent.close();
        await assembly.close();
        interrupt.close();
      },
    };
  } catch (error) {
    await opened.assembly.close();
    interrupt.close();
    throw error;
  }
}
