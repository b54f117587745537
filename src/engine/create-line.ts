import type { EngineOptions, Retry } from "./types/options.ts";
import { DEFAULT_CUTS } from "../core/cuts.ts";
import type { Mode, Policy } from "../core/policy.ts";
import type * as policies from "../policy/policy.ts";
import { askInRun } from "./pipeline/ask-approver.ts";
import { createDeadlines } from "./state/deadlines.ts";
import { createFileChanges } from "./hooks/file-changes.ts";
import { createGroups } from "./registry/groups.ts";
import { createHooks } from "./hooks/hooks.ts";
import { hostExecutor } from "./pipeline/host-executor.ts";
import type { Line } from "./state/line.ts";
import { loadBeside } from "../util/load-beside.ts";
import { createMemoryGrants } from "./registry/memory-grants.ts";
import { createInFlight } from "../util/async/in-flight.ts";
import type { Listeners } from "./events/listeners.ts";
import { createListeners } from "./events/listeners.ts";
import { createMasker } from "../util/text/mask.ts";
import { maskArtifacts } from "./answer/masked-artifacts.ts";
import { createRegistry } from "./registry/registry.ts";
import { run } from "./pipeline/run.ts";
import { runAll } from "./pipeline/run-all.ts";
import type * as sessionHooking from "./hooks/session-hooks.ts";
import { createSessions } from "./registry/session.ts";
import { createSources } from "./registry/sources.ts";
import { withTimeout } from "../util/async/with-timeout.ts";

interface OpenLine {
  readonly line: Line;
  readonly listeners: Listeners;
  readonly close: () => Promise<void>;
}

const DEFAULT_RETRY: Retry = { attempts: 3, firstWaitMs: 1000, factor: 2 };

/** Builds the line from its options, every default filled in. */
export function createLine(options: EngineOptions): OpenLine {
  const { mode = "auto", workspace = [], artifacts } = options;
  const listeners = createListeners();
  const { send, hears } = listeners;
  if (options.log !== undefined) listeners.add(options.log);
  const groups = createGroups((group, active) =>
    send({ type: "group.changed", group, active, session: undefined }),
  );
  const masker = createMasker(options.secrets);
  const inFlight = createInFlight();
  const registry = createRegistry();
  const telling = { send, hears, masker };
  const hooks = createHooks(options.hooks ?? [], telling);
  let closed = false;

  const line: Line = {
    ...withDefaults(options),
    registry,
    groups,
    sources: createSources({ registry, groups, masker, send, hears }),
    sessions: createSessions(groups, (group, active, session) =>
      send({ type: "group.changed", group, active, session }),
    ),
    policy: options.policy ?? loadPolicy(mode, workspace),
    hooks,
    sessionHooks: hooks === undefined ? undefined : loadSessionHooks().createSessionHooks(hooks),
    changes: createFileChanges(hooks, telling),
    context: new Map(options.context?.map(({ key, value }) => [key.name, value])),
    executors: new Map([hostExecutor, ...(options.executors ?? [])].map((one) => [one.place, one])),
    artifacts: artifacts === undefined ? undefined : maskArtifacts(artifacts, masker),
    masker,
    deadlines: createDeadlines(),
    send,
    hears,
    closing: new Set(),
    inFlight,
    isClosed: () => closed,
    ask: (call, question, asked) => askInRun(line, call, question, asked),
    run: (call, runOptions) => run(line, call, runOptions),
    runAll: (calls, runOptions) => runAll(line, calls, runOptions),
  };

  const close = async (): Promise<void> => {
    closed = true;
    for (const cancel of line.closing) cancel();
    await inFlight.drained();
    await line.sources.close();
    await closeHooks(line);
    await line.sessions.closeAll();
    line.deadlines.close();
  };
  return { line, listeners, close };
}

/** How long closing waits for the hooks on changed files and on the ends of sessions. */
const CLOSING_MS = 10_000;

/** A hook that hangs has a limit of its own, but whoever closes does not wait for that. */
async function closeHooks({ hooks, changes, sessionHooks }: Line): Promise<void> {
  if (hooks === undefined) return;
  const ended = changes.drained().then(() => sessionHooks?.endAll());
  await withTimeout(ended, CLOSING_MS, () => undefined);
  await hooks.close();
}

function withDefaults(options: EngineOptions) {
  return {
    approver: options.approver,
    approvalTimeoutMs: options.approvalTimeoutMs ?? 300_000,
    grants: options.grants ?? createMemoryGrants(),
    resolvePath: options.resolvePath,
    journal: options.journal,
    timeoutMs: options.timeoutMs ?? 30_000,
    idleTimeoutMs: options.idleTimeoutMs,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    concurrency: options.concurrency ?? 16,
    cuts: { ...DEFAULT_CUTS, ...options.cuts },
    modelText: options.modelText ?? "plain",
  } satisfies Partial<Line>;
}

function loadSessionHooks(): typeof sessionHooking {
  return loadBeside(import.meta.url, "./hooks/session-hooks") as typeof sessionHooking;
}

/** Loaded only where the host program brings no policy of its own. */
function loadPolicy(mode: Mode, workspace: readonly string[]): Policy {
  const { createPolicy } = loadBeside(import.meta.url, "../policy/policy") as typeof policies;
  return createPolicy({ mode, workspace });
}
