import { originOf } from "../core/events.ts";
import { DEFAULT_CUTS } from "../core/cuts.ts";
import { NO_SANDBOX } from "../core/executor.ts";
import { createCeilingCheck } from "../policy/rules/check-ceilings.ts";
import { compileSecretPatterns } from "../json-schema/patterns/secret-patterns.ts";
import { createInFlight } from "../util/async/in-flight.ts";
import { withTimeout } from "../util/async/with-timeout.ts";
import { createMasker, type Masker } from "../secrets/mask.ts";
import { maskArtifacts } from "./answer/masked-artifacts.ts";
import { createDeadlines } from "./call/deadlines.ts";
import { createLimitSlots } from "./call/limit-slot.ts";
import { checkExecutors } from "./checks/check-executors.ts";
import { createMemoryGrants } from "./memory-grants.ts";
import { createFileChanges } from "./hooks/file-changes.ts";
import { createHooks } from "./hooks/hooks.ts";
import { createSessionHooks } from "./hooks/session-hooks.ts";
import { createListeners } from "./listeners.ts";
import { hostExecutor } from "./pipeline/route.ts";
import { wrapExecutor } from "./pipeline/wrap-executor.ts";
import { createGroups } from "./registry/groups.ts";
import { createRegistry } from "./registry/registry.ts";
import { OWN_SESSION, createSessions } from "./registry/sessions.ts";
import { createUntrustedText } from "./registry/untrusted-text.ts";
import { createSources } from "./registry/sources.ts";
import type { EngineParts, Executors, Listeners } from "./types/engine-parts.ts";
import type { EngineOptions, OptionsWithPolicy, Retry } from "./types/options.ts";

/** All parts but the pipeline that runs the calls. */
type Parts = Omit<EngineParts, "run" | "runAll" | "examine">;

interface CreatedParts {
  readonly parts: Parts;
  readonly listeners: Listeners;
  /** Cancels running calls, then closes every part. */
  readonly close: () => Promise<void>;
}

const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
const DEFAULT_RETRY: Retry = { attempts: 3, firstWaitMs: 1000, factor: 2 };

/** Creates the parts of an engine from its options and fills in the defaults. */
export function createEngineParts(options: OptionsWithPolicy): CreatedParts {
  const { artifacts } = options;
  const listeners = createListeners();
  const { emit, hasListeners } = listeners;
  if (options.log !== undefined) listeners.add(options.log);
  const changed = (group: string | undefined, active: boolean, id?: string): void =>
    emit({ ...originOf(id), type: "group.changed", group, active });
  const groups = createGroups(changed);
  const masker = maskerOf(options);
  const inFlight = createInFlight();
  const registrar = { emit, hasListeners, masker, registry: createRegistry(), groups };
  const hooks = createHooks(options.hooks ?? [], registrar);
  let closed = false;

  // One spread, at the front: a second one would make V8 keep the object as a slow dictionary.
  const parts: Parts = {
    ...withDefaults(options),
    registry: registrar.registry,
    groups,
    sources: createSources(registrar),
    sessions: createSessions({
      ...registrar,
      changed,
      idleMs: options.sessionIdleMs ?? SESSION_IDLE_MS,
      untrustedTexts: options.untrustedTexts,
      // A grant that cannot be removed expires by itself.
      onIdle: (id) => void parts.closeSession(id, { isIdle: true }).catch(() => undefined),
    }),
    async closeSession(id, options) {
      await parts.sessionHooks?.end(id);
      await parts.sessions.close(id, options);
      await parts.grants.endSession?.(id);
    },
    policy: options.policy,
    checkCeilings: createCeilingCheck(),
    hooks,
    sessionHooks: hooks === undefined ? undefined : createSessionHooks(hooks),
    changes: createFileChanges(hooks, registrar),
    context: new Map(options.context?.map(({ key, value }) => [key.name, value])),
    executors: createExecutors(options),
    artifacts: artifacts === undefined ? undefined : maskArtifacts(artifacts, masker),
    masker,
    deadlines: createDeadlines(),
    emit,
    hasListeners,
    closing: new Set(),
    resuming: new Map(),
    inFlight,
    isClosed: () => closed,
  };

  const close = async (): Promise<void> => {
    closed = true;
    for (const cancel of parts.closing) cancel();
    await inFlight.drained();
    await parts.sources.close();
    await closeHooks(parts);
    await parts.sessions.closeAll();
    parts.deadlines.close();
  };
  return { parts, listeners, close };
}

function createExecutors({ executors = [], around }: EngineOptions): Executors {
  checkExecutors(executors);
  const byPlace = new Map(
    [hostExecutor, NO_SANDBOX, ...executors].map((one) => [one.place, wrapExecutor(one, around)]),
  );
  return { byPlace, overriding: [...byPlace.values()].filter((one) => one.overrides !== undefined) };
}

/** How long closing the engine waits for hooks on changed files and on session ends. */
const HOOKS_CLOSE_MS = 10_000;

async function closeHooks({ hooks, changes, sessionHooks }: Parts): Promise<void> {
  if (hooks === undefined) return;
  const ended = changes.drained().then(() => sessionHooks?.endAll());
  await withTimeout(ended, HOOKS_CLOSE_MS, () => undefined);
  await hooks.close();
}

function withDefaults(options: EngineOptions) {
  return {
    approver: options.approver,
    currentMode: options.currentMode,
    approvalTimeoutMs: options.approvalTimeoutMs ?? 300_000,
    grants: options.grants ?? createMemoryGrants(),
    untrusted: createUntrustedText(OWN_SESSION),
    resolvePath: options.resolvePath,
    journal: options.journal,
    timeoutMs: options.timeoutMs ?? 30_000,
    idleTimeoutMs: options.idleTimeoutMs,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    concurrency: options.concurrency ?? 16,
    limitSlots: createLimitSlots(options.maxRunning),
    cuts: { ...DEFAULT_CUTS, ...options.cuts },
    modelText: options.modelText ?? "plain",
  } satisfies Partial<EngineParts>;
}

function maskerOf({ masker = createMasker(), secrets = [], secretPatterns = {} }: EngineOptions): Masker {
  for (const pattern of compileSecretPatterns(secretPatterns)) masker.learnPattern(pattern);
  for (const secret of secrets) masker.learn(secret);
  return masker;
}
