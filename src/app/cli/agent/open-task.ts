import type { AgentEvent } from "../../../agent/runtime/agent-events.ts";
import type { Event } from "../../../core/events.ts";
import type { JsonObject } from "../../../core/json.ts";
import { defined } from "../../../util/json/defined.ts";
import type { BudgetSetting } from "../../config/setting-values.ts";
import { createAgentHost, type OpenAgent } from "../../host/agent/agent-host.ts";
import { openConfiguredModel } from "../../host/open-configured-model.ts";
import type { Arguments, World } from "../../terminal/input/command.ts";
import { openTerminalHost } from "../../terminal/open-terminal-host.ts";
import { describeTaskEvent } from "../../terminal/print/describe-task-event.ts";

export interface TaskOptions {
  readonly session: { readonly id: string; readonly isStored: boolean };
  readonly budget: BudgetSetting;
  readonly outputSchema: JsonObject | undefined;
}

/** An agent for one task at the command line: its events are printed, and Ctrl-C cancels it. */
export interface OpenTask extends OpenAgent {
  /** Aborted when the process is asked to end, or standard output is closed. */
  readonly signal: AbortSignal;
  /** Prints a line on standard error, unless `--quiet` or `--json` is given. */
  readonly log: (line: string) => void;
}

/** Opens the model, the engine and the session. Throws a `ToolError` if one of them fails; nothing stays open then. */
export async function openTask({ flags }: Arguments, world: World, task: TaskOptions): Promise<OpenTask> {
  const { output } = world;
  const host = await openTerminalHost(flags, world, { need: "stay", mayAsk: true });
  const isJson = flags["json"] === true;
  const isQuiet = isJson || flags["quiet"] === true;
  const log = (line: string): void => void (!isQuiet && output.log(line));
  const onEvent = (event: Event | AgentEvent): void => {
    if (isJson) void output.print(`${JSON.stringify(event)}\n`);
    const line = describeTaskEvent(event);
    if (line !== undefined) log(line);
  };
  try {
    const { config, engine, signal } = host;
    const model = await openConfiguredModel(config);
    const agents = createAgentHost(host);
    engine.on(onEvent);
    const { session, budget, outputSchema } = task;
    const agent = await agents.open({
      model,
      session: session.id,
      mustBeKept: session.isStored,
      budget: { ...config.budget, ...budget },
      onEvent,
      ...defined({ outputSchema }),
    });
    return {
      ...agent,
      log,
      signal,
      async close() {
        await agent.close();
        await host.close();
      },
    };
  } catch (error) {
    await host.close();
    throw error;
  }
}
