import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import type { Mode } from "../../../core/policy.ts";
import type { GatewayHost } from "../../gateway/open-gateway.ts";
import { isForAgents } from "../../gateway/sessions/visible-tools.ts";
import { createAgentHost, type AgentHost } from "../../host/agent/agent-host.ts";
import { collectCallEvents, createRunningCalls } from "../calls/running-calls.ts";
import { createChats } from "./chats.ts";
import { createStoredGrants } from "../../../store/database/grants.ts";
import { PAGE_NAMES } from "../api/page-names.ts";
import { createEventHub } from "../events/event-hub.ts";
import { followTraffic } from "./mcp-traffic.ts";
import { followFleet } from "./follow-fleet.ts";
import type { Served } from "./served.ts";
import { serverStates } from "./server-states.ts";
import { watchStore } from "./watch-store.ts";

export interface OpenServed extends Served {
  /** Resolves when the fleet, if there is one, is shown or cannot be reached. */
  readonly ready: Promise<void>;
  /** Cancels what runs, and closes conversations. */
  stop(): Promise<void>;
}

/** Creates what the operations work on. Opens no store and no engine. */
export function createServed(
  { host, gateway }: GatewayHost,
  { warnings, print }: { readonly warnings: string[]; readonly print: (line: string) => void },
): OpenServed {
  const { engine, store, config } = host;
  const hub = createEventHub();
  const callEvents = collectCallEvents(engine);
  const warn = (warning: string): void => {
    warnings.push(warning);
    print(`toolwright: ${warning}`);
  };
  const { journal: ownJournal, figures: ownFigures } = store;
  const ofHost = { fleet: host.fleet, journal: ownJournal, figures: ownFigures, queue: host.queue };
  const followed = followFleet({ ...ofHost, hub, callEvents, warn });
  const { queue, journal, journals, figures, isFollowed } = followed;
  const records = { queue, journals, figures };
  const running = createRunningCalls(engine);
  let mode: Mode = config.policy.mode;
  let opened: AgentHost | undefined;
  const agents = (): AgentHost => (opened ??= createAgentHost(host));
  const chats = createChats({ host, agents, hub, mode: () => mode });
  const stopEvents = engine.on((event) => hub.emit(event));
  const isOwn = (call: CallRecord): boolean => callEvents.has(call);
  const watch = watchStore({ hub, queue, journal: ownJournal, isFollowed, isOwn });
  const [ownTools, traffic] = [activateTools(host), followTraffic(host.mcp?.sources ?? [])];
  return {
    ...partsOf(host, journal),
    ready: followed.tried,
    hub,
    ...records,
    callEvents,
    running,
    traffic,
    slots: gateway.slots,
    chats,
    startedAt: Date.now(),
    warnings,
    mode: () => mode,
    async setMode(next) {
      host.setMode(next);
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
      await followed.close();
      stopEvents();
      callEvents.close();
      traffic.close();
      running.close();
    },
  };
}

/** Returns what the operations need of the host. `journal` lists the calls of its fleet too. */
function partsOf(host: GatewayHost["host"], journal: Journal) {
  const { engine, store, config } = host;
  const { workspace } = config.paths;
  return {
    host,
    engine,
    store: { ...store, journal },
    grants: createStoredGrants(store.collections, workspace[0]),
    pages: PAGE_NAMES,
    workspace,
    folder: workspace[0],
    session: host.session,
    model: config.agent.model === "" ? undefined : config.agent.model,
    sandbox: host.sandbox,
    telemetry: host.telemetry,
    problems: host.problems,
    servers: () => serverStates(host),
  };
}

/** While this group is on, the programs of other tools go through the proxy: only the config switches it on. */
const PROXY = "proxy";

/** Calls without an agent use every tool that the config leaves on, as those of the command line do. */
function activateTools({ engine, session, config }: GatewayHost["host"]) {
  const { groups } = engine.session(session);
  const isOff = (name: string): boolean => {
    const isSwitchedOn = config.tools.groups[name];
    return name === PROXY ? isSwitchedOn !== true : isSwitchedOn === false;
  };
  groups.activate(engine.groups.list().flatMap(({ name, locked }) => (locked || isOff(name) ? [] : [name])));
  return groups;
}
