import type { Mode } from "../../../core/policy.ts";
import type { ApprovalQueue, PendingApproval } from "../../../store/database/approval-queue.ts";
import type { GatewayHost } from "../../gateway/open-gateway.ts";
import { isForAgents } from "../../gateway/sessions/visible-tools.ts";
import { createAgentHost, type AgentHost } from "../../host/agent/agent-host.ts";
import { collectCallEvents, createRunningCalls } from "../calls/running-calls.ts";
import { createChats } from "./chats.ts";
import { createEventHub, type EventHub } from "../events/event-hub.ts";
import { followFleet } from "./follow-fleet.ts";
import type { Served } from "./served.ts";
import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import { watchCalls } from "../../terminal/trace/watch-calls.ts";
import { toCallRow } from "../calls/call-row.ts";
import { toApproval } from "../calls/to-approval.ts";

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
  const running = createRunningCalls(engine);
  let mode: Mode = config.policy.mode;
  let opened: AgentHost | undefined;
  const agents = (): AgentHost => (opened ??= createAgentHost(host));
  const chats = createChats({ host, agents, hub, mode: () => mode });
  const stopEvents = engine.on((event) => hub.emit(event));
  const watch = watchStore({
    hub,
    queue,
    journal: ownJournal,
    isFollowed,
    isOwn: (call) => callEvents.has(call),
  });
  const ownTools = activateTools(host);
  return {
    host: { ...host, store: { ...store, journal } },
    ready: followed.tried,
    hub,
    queue,
    figures,
    journals,
    callEvents,
    running,
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
    },
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

interface WatchOptions {
  readonly hub: EventHub;
  readonly queue: ApprovalQueue;
  readonly journal: Journal;
  /** Returns true for a call of this process, whose events are sent anyway. */
  readonly isOwn: (call: CallRecord) => boolean;
  /** Returns true if events of the calls of other processes arrive by themselves. */
  readonly isFollowed: () => boolean;
}

const POLL_MS = 250;

/** Emits an event for each approval and each call of other processes that begins or ends, while a client listens. */
function watchStore(options: WatchOptions): { close(): Promise<void> } {
  const { hub, queue, journal, isOwn, isFollowed } = options;
  const approvals = createApprovalWatch(hub, queue);
  const changedCalls = watchCalls(journal, {}, (call) => !isOwn(call));
  const calls = async (): Promise<void> => {
    for (const record of await changedCalls())
      hub.emit({ type: "call.changed", at: Date.now(), call: toCallRow(record) });
  };
  let isClosed = false;
  let working: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!hub.isWatched()) return;
    // A store that cannot be read now is read again later; requests report it.
    await Promise.allSettled([approvals(), isFollowed() || calls()]);
  };
  const loop = (): void => {
    if (!isClosed) working = look().finally(() => void (timer = setTimeout(loop, POLL_MS).unref()));
  };
  let timer = setTimeout(loop, 0);
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await working;
      clearTimeout(timer);
    },
  };
}

function createApprovalWatch(hub: EventHub, queue: ApprovalQueue): () => Promise<void> {
  let known = new Map<string, PendingApproval>();
  return async () => {
    const now = new Map((await queue.pending()).map((one) => [one.id, one]));
    const at = Date.now();
    for (const [id, one] of now)
      if (!known.has(id)) hub.emit({ type: "approval.pending", at, approval: toApproval(one) });
    for (const id of known.keys()) if (!now.has(id)) hub.emit({ type: "approval.closed", at, id });
    known = now;
  };
}
