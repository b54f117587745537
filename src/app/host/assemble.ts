import type { Approver } from "../../core/approval.ts";
import type { Listener } from "../../core/events.ts";
import type { Skills } from "../../core/skills.ts";
import type { SourceProblem } from "../../core/source.ts";
import type { Policy } from "../../core/policy.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { EngineOptions } from "../../engine/types/options.ts";
import { createEngine } from "../../engine/engine.ts";
import { createStoredGrants } from "../../store/database/grants.ts";
import type { Extensions } from "../../sources/extension/extensions.ts";
import type { Log } from "../../sources/extension/instance.ts";
import { endOrphans } from "../../system/process/orphans.ts";
import { builtInTools } from "../../tools/built-in.ts";
import type { Config } from "../config/config.ts";
import { EXTERNAL_PROFILE } from "../config/config.ts";
import { createDefaultPolicy } from "./policy.ts";
import { externalSources } from "./sources/external-sources.ts";
import { engineHooks } from "./hooks/engine-hooks.ts";
import { resolveWord } from "./resolve-word.ts";
import type { Store } from "./store/open-configured-store.ts";
import { openExtensions } from "./sources/open-extensions.ts";
import { openSkills } from "./sources/open-skills.ts";
import { stateFolderOf, toolOptions } from "./sources/tool-options.ts";
import { createBuiltInGroups, switchGroups } from "./sources/built-in-groups.ts";
import type { McpServers } from "../../sources/mcp/registry.ts";
import { openMcp } from "./sources/open-mcp.ts";
import { createSampler } from "./sample-model.ts";
import type { IsTrusted } from "../config/files/trust.ts";
import { TRUST_NOTHING } from "../config/files/trust.ts";
import { workspaceSession } from "./store/workspace-session.ts";

export interface AssembleOptions {
  readonly approver?: Approver;
  readonly log?: Listener;
  /** Hears what extensions log; left out: nobody does. */
  readonly extensionLog?: Log;
  /** Left out: the built-in rules alone, under the config's mode. */
  readonly policy?: Policy;
  /** Whether something that came with the project's folder may act; left out: nothing may. */
  readonly isTrusted?: IsTrusted;
  /** The process stays: sources are loaded at once, and again when they change. Left out: when they are first needed. */
  readonly isLongLived?: boolean;
  /** MCP servers whose tools the user has seen before are started when one of these is called; left out: when they are looked for. */
  readonly startsMcpLate?: boolean;
  /** Left out: nothing is kept and no store is opened, for looking at tools without running them. */
  readonly store?: Store;
}

/** The engine with its tools, and what it keeps. */
export interface Assembly {
  readonly engine: Engine;
  /** What MCP servers have besides tools; undefined where there is no server. */
  readonly mcp: McpServers | undefined;
  /** Values that the engine masks wherever they appear. */
  readonly secrets: readonly string[];
  /** The workspace's own session, the same for every process that runs calls in it. */
  readonly session: string;
  readonly skills: Skills;
  readonly extensions: Extensions;
  /** All that could not be used, and why; sources that have not been loaded have none yet. */
  readonly problems: () => Promise<readonly SourceProblem[]>;
  /** What was set but means nothing: one line each. */
  readonly warnings: readonly string[];
  /** Cancels what is running, then closes the store. */
  close(): Promise<void>;
}

/** Puts the rooms together: the only file that knows them all. Never opens a store by itself. */
export function assemble(config: Config, options: AssembleOptions = {}): Assembly {
  const { store, approver, log, extensionLog } = options;
  const { isTrusted = TRUST_NOTHING, isLongLived = false, startsMcpLate: startsLate = false } = options;
  const { policy = builtInPolicy(config) } = options;
  const [root] = config.workspace;
  const skills = openSkills(config, isTrusted);
  const { extensions, hooks } = openExtensions(config, {
    isTrusted,
    isLongLived,
    ...(extensionLog === undefined ? {} : { log: extensionLog }),
  });
  const mcp = openMcp(config, {
    isTrusted,
    store,
    startsLate,
    onSecret: (secret) => engine.masker.learn(secret),
    sample: createSampler(config, policy),
  });
  const secrets = [...config.secrets, ...mcp.secrets];
  const engine = createEngine({
    policy,
    resolvePath: resolveWord,
    timeoutMs: config.timeoutSeconds * 1000,
    concurrency: config.concurrency,
    secrets,
    approvalTimeoutMs: config.approvalTimeoutSeconds * 1000,
    hooks: [...hooks, ...engineHooks(config, store, isTrusted)],
    ...(store === undefined ? {} : kept(store, root)),
    ...(approver === undefined ? {} : { approver }),
    ...(log === undefined ? {} : { log }),
  });
  createBuiltInGroups(engine.groups);
  if (config.profile !== EXTERNAL_PROFILE)
    engine.add(builtInTools({ ...toolOptions(config, store), skills }));
  engine.add(mcp.tools);
  const stateFolder = stateFolderOf(config, store);
  const sources = externalSources(config, { isTrusted, ...(stateFolder !== undefined && { stateFolder }) });
  const ofSources = { presets: config.presets, isLazy: !isLongLived, isWatched: isLongLived };
  for (const source of [...sources, ...mcp.sources, ...extensions.sources])
    engine.sources.add(source, ofSources);
  const tidied = stateFolder === undefined ? undefined : endOrphans(stateFolder);
  const warnings = switchGroups(engine.groups, config.groups);
  return {
    engine,
    mcp: mcp.servers,
    secrets,
    session: workspaceSession(root),
    skills,
    extensions,
    problems: async () => [...engine.sources.problems(), ...(await skills.list()).problems],
    warnings,
    async close() {
      await engine.close();
      await tidied;
      await store?.close();
    },
  };
}

function builtInPolicy({ mode, workspace, userHome }: Config): Policy {
  return createDefaultPolicy({ mode, workspace, home: userHome });
}

function kept({ journal, artifacts, collections }: Store, root: string): EngineOptions {
  return { journal, artifacts, grants: createStoredGrants(collections, root) };
}
