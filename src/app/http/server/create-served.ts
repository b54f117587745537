import type { Mode } from "../../../core/policy.ts";
import { createApprovalQueue } from "../../../store/database/approval-queue.ts";
import type { GatewayHost } from "../../gateway/open-gateway.ts";
import { isForAgents } from "../../gateway/sessions/visible-tools.ts";
import { createAgentHost, type AgentHost } from "../../host/agent/agent-host.ts";
import { collectCallEvents } from "../calls/call-events.ts";
import { createRunningCalls } from "../calls/running-calls.ts";
import { createChats } from "./chats.ts";
import { createEventHub } from "../events/event-hub.ts";
import { watchStore } from "./watch-store.ts";
import type { Served } from "./served.ts";

export interface OpenServed extends Served {
  /** Cancels what runs, and closes conversations. */
  stop(): Promise<void>;
}

/** Creates what the operations work on. Opens no store and no engine. */
export function createServed({ host }: GatewayHost, warnings: readonly string[]): OpenServed {
  const { engine, store, config } = host;
  const hub = createEventHub();
  const queue = createApprovalQueue(store.collections);
  const callEvents = collectCallEvents(engine);
  const running = createRunningCalls(engine);
  let mode: Mode = config.mode;
  let opened: AgentHost | undefined;
  const agents = (): AgentHost => (opened ??= createAgentHost(host));
  const chats = createChats({ host, agents, hub, mode: () => mode });
  const stopEvents = engine.on((event) => hub.emit(event));
  const watch = watchStore({ hub, queue, journal: store.journal, isOwn: (id) => callEvents.has(id) });
  // Calls without an agent use every tool that the config leaves on, as those of the command line do.
  const ownTools = engine.session(host.session).groups;
  ownTools.activate(
    engine.groups
      .list()
      .flatMap(({ name, locked }) => (locked || config.groups[name] === false ? [] : [name])),
  );
  return {
    host,
    hub,
    queue,
    callEvents,
    running,
    chats,
    startedAt: Date.now(),
    warnings,
    mode: () => mode,
    async setMode(next) {
      await host.setMode(next);
      if (next !== mode) hub.emit({ type: "mode.changed", at: Date.now(), mode: next });
      mode = next;
    },
    tools: () =>
      engine
        .list({ all: true })
        .filter(({ name }) => !isForAgents(engine.get(name)))
        .map((tool) => ({ ...tool, isActive: ownTools.isActive(tool.group, tool.name) })),
    async stop() {
      running.cancelAll();
      await chats.closeAll();
      await watch.close();
      stopEvents();
      callEvents.close();
    },
  };
}
