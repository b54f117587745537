import type { Hook } from "../../core/hook.ts";
import { provide, type Provided } from "../../core/context.ts";
import { SettingsKey } from "../../core/session/host-keys.ts";
import type { Skills } from "../../core/skills.ts";
import { createBareEngine } from "../../engine/bare-engine.ts";
import { createStoredUntrustedTexts } from "../../store/database/untrusted-texts.ts";
import { createStoredGrants } from "../../store/database/grants.ts";
import { releaseAbandoned } from "../../system/box/reserve-protected.ts";
import { createRoster } from "../../system/process/roster.ts";
import { sweep } from "../../system/process/sweep.ts";
import { defined } from "../../util/json/defined.ts";
import { createMasker, type Masker } from "../../secrets/mask.ts";
import { EXTERNAL_PROFILE, hasMcpServers } from "../config/config.ts";
import type { CallSettings, ConfigGroups, PathSettings } from "../config/groups.ts";
import { createDefaultPolicy, judgeIn } from "./policy.ts";
import { resolveCommandPath } from "./resolve-command-path.ts";
import { externalSources } from "./sources/external-sources.ts";
import { savingRoots } from "./store/saving-roots.ts";
import { workspaceSession, type Store } from "./store/open-configured-store.ts";
import { openExtensions, openSkills } from "./sources/open-extensions.ts";
import { createBuiltInGroups, switchGroups } from "./sources/built-in-groups.ts";
import { builtInOptions, processFolderOf } from "./sources/built-in-tools.ts";
import { loadOwnTools } from "./sources/own-tools.ts";
import { McpServersKey, type McpServers } from "../../sources/mcp/types/source-types.ts";
import type { ApiSourcesOptions } from "./sources/api-sources.ts";
import type { McpSourcesOptions } from "./sources/mcp-sources.ts";
import type { SamplingOptions } from "./sample-model.ts";
import { toolModels } from "./tool-models.ts";
import { NO_FLEET } from "./fleet/open-host-fleet.ts";
import { TRUST_NOTHING, type IsTrusted } from "../config/files/trust.ts";
import type { EngineConfig, AssembleOptions, Assembly } from "./assembly.ts";

const NOTHING_ELSE = { fleet: NO_FLEET, executors: [] };

/** Creates the engine of a config with its tools, sources and hooks. Never opens a store by itself. */
export async function assemble(config: EngineConfig, options: AssembleOptions = {}): Promise<Assembly> {
  const { store, hooks: more = [], wasTrusted, isTrusted = TRUST_NOTHING, isLongLived = false } = options;
  const { mode, shell } = config.policy;
  const { workspace, userHome: home } = config.paths;
  const { fleet, executors, masker } = { ...NOTHING_ELSE, masker: createMasker(), ...options };
  const { policy = createDefaultPolicy({ mode, workspace, home, usesBoxes: shell.sandbox }) } = options;
  const skills = openSkills(config.paths, isTrusted);
  const opened = await openExtensions(config.paths, isTrusted, isLongLived, options.extensionLog);
  const { extensions, hooks } = opened;
  const stateFolder = processFolderOf(config.paths, store);
  const { startsMcpLate: startsLate = false } = options;
  const remote = { collections: store?.collections, startsLate, onSecret: masker.learn };
  const configured = await openHooks(config, isTrusted, store);
  const { passesSampling: passesOn } = options;
  const sampling = { learn: masker.learn, judge: judgeIn(policy, options.currentMode), passesOn };
  const mcp = await openMcp(config, { ...remote, isTrusted, stateFolder }, sampling);
  const apis = await openApis(config, remote);
  const allHooks = [...hooks, ...configured, ...more];
  const own = await loadTools(config, options, { masker, skills, hooks: allHooks });
  const engine = createBareEngine({
    policy,
    ...defined({ currentMode: options.currentMode }),
    resolvePath: resolveCommandPath,
    ...timesOf(config.calls),
    concurrency: config.calls.concurrency,
    context: [...own.context, ...hostContext(config, mcp.servers)],
    secrets: [...config.environment.secrets, ...mcp.secrets],
    secretPatterns: config.environment.secretPatterns,
    hooks: allHooks,
    executors: [...executors, ...fleet.executors],
    ...defined({ approver: options.approver, log: options.log, around: options.around, masker }),
    ...recordsOf(store, config.paths, isLongLived),
  });
  createBuiltInGroups(engine.groups);
  for (const api of Object.keys(config.apis)) engine.groups.create(api, { description: `the API ${api}` });
  if (config.profile !== EXTERNAL_PROFILE) engine.add(own.tools);
  engine.add(mcp.tools);
  const sources = externalSources(config, isTrusted, wasTrusted, stateFolder);
  const ofSources = { presets: config.tools.presets, isLazy: !isLongLived, isWatched: isLongLived };
  const others = [mcp.sources, apis, extensions.sources, fleet.sources(engine)];
  for (const source of [...sources, ...others.flat()]) engine.sources.add(source, ofSources);
  fleet.share(engine);
  // A sandbox that is still ending has its placeholders mounted.
  const swept = stateFolder && sweep(stateFolder, releaseAbandoned);
  return {
    engine,
    mcp: mcp.servers,
    session: workspaceSession(workspace[0]),
    skills,
    extensions,
    fleet,
    problems: async () => [...engine.sources.problems(), ...(await skills.list()).problems],
    warnings: [...switchGroups(engine.groups, config.tools.groups), ...mcp.warnings],
    async close() {
      await engine.close();
      await fleet.close();
      await swept;
      await store?.close();
    },
  };
}

interface ToolParts {
  readonly masker: Masker;
  readonly skills: Skills;
  readonly hooks: readonly Hook[];
}

/** Loads the built-in tools, only those that the one call needs if nothing else can use others. */
function loadTools(config: EngineConfig, options: AssembleOptions, { masker, skills, hooks }: ToolParts) {
  const ofTools = {
    ...builtInOptions(config, options),
    ...toolModels(config, masker.learn),
    mask: masker.text,
    browser: config.browser,
    skills,
  };
  // Hooks and extensions may use any tool; a group that the config switches may be that of the proxy, which other tools go through.
  const mayUseOthers = hooks.length + Object.keys(config.tools.groups).length > 0;
  return loadOwnTools(ofTools, mayUseOthers ? undefined : options.only);
}

/** What the engine records in the store. The session of single calls is that of a person: text from outside does not count in it for ever. */
function recordsOf(store: Store | undefined, paths: PathSettings, isLongLived: boolean) {
  if (store === undefined) return {};
  const { journal, artifacts, collections } = store;
  const untrustedTexts = isLongLived ? createStoredUntrustedTexts(collections) : undefined;
  const grants = savingRoots(createStoredGrants(collections, paths.workspace[0]), paths);
  return defined({ journal, artifacts, grants, untrustedTexts });
}

/** Creates the hooks of the config. Their module is loaded only if there is one. */
async function openHooks(
  config: ConfigGroups<"hooks" | "paths" | "environment">,
  isTrusted: IsTrusted,
  store?: Store,
): Promise<readonly Hook[]> {
  if (config.hooks.user.length + config.hooks.project.length === 0) return [];
  const { engineHooks } = await import("./hooks/engine-hooks.ts");
  return engineHooks(config, store, isTrusted, createRoster(processFolderOf(config.paths, store)));
}

/** Creates the sources of the MCP servers. Their modules are loaded only if there is one. */
async function openMcp(
  config: ConfigGroups<"mcp" | "paths" | "environment" | "agent">,
  options: McpSourcesOptions,
  sampling: SamplingOptions,
) {
  if (!hasMcpServers(config.mcp))
    return { sources: [], tools: [], secrets: [], servers: undefined, warnings: [] };
  const [{ mcpSources }, { createSampler }] = await Promise.all([
    import("./sources/mcp-sources.ts"),
    import("./sample-model.ts"),
  ]);
  return mcpSources(config, { ...options, sample: createSampler(config, sampling) });
}

/** Creates the sources of the HTTP APIs. Their module is loaded only if there is one. */
async function openApis(
  config: ConfigGroups<"apis" | "environment" | "web" | "paths">,
  options: ApiSourcesOptions,
) {
  if (Object.keys(config.apis).length === 0) return [];
  return (await import("./sources/api-sources.ts")).apiSources(config, options);
}

function timesOf({ timeoutSeconds, approvalTimeoutSeconds }: CallSettings) {
  return {
    timeoutMs: timeoutSeconds * 1000,
    approvalTimeoutMs: approvalTimeoutSeconds * 1000,
    // Each program closes its sessions itself.
    sessionIdleMs: Number.POSITIVE_INFINITY,
  };
}

/** Returns what tools can read of the host. */
function hostContext(
  config: ConfigGroups<"paths" | "policy" | "calls" | "agent">,
  servers: McpServers | undefined,
): readonly Provided[] {
  const {
    paths: { workspace },
    policy: { mode },
    calls: { timeoutSeconds, concurrency },
    agent: { model },
  } = config;
  const timeoutMs = timeoutSeconds * 1000;
  return [
    provide(SettingsKey, { workspace, mode, timeoutMs, concurrency, model: model || undefined }),
    ...(servers === undefined ? [] : [provide(McpServersKey, servers)]),
  ];
}
