import { ToolError } from "../../core/errors.ts";
import { createMasker } from "../../secrets/mask.ts";
import { joinApprovers } from "./approvals/join-approvers.ts";
import type { Policy } from "../../core/policy.ts";
import { createApprovalQueue } from "../../store/database/approval-queue.ts";
import { defined } from "../../util/json/defined.ts";
import { recoverChanges } from "../../system/files/recover-changes.ts";
import { hasMcpServers } from "../config/config.ts";
import type { Config, ConfigGroups } from "../config/groups.ts";
import { stateFoldersOf } from "../config/folders.ts";
import {
  findInstructions,
  instructionItems,
  readUserInstructions,
  type ProjectInstructions,
} from "../config/trust/project-instructions.ts";
import { assemble } from "./assemble.ts";
import type { Assembly } from "./assembly.ts";
import { chooseSandbox, openSandbox } from "./choose-sandbox.ts";
import type { CommonOptions, Host, Look, LookOptions, RunOptions } from "./host.ts";
import { createLevels, type Levels } from "./levels.ts";
import { createModeSwitch, judgeIn, loadCommandModules } from "./policy.ts";
import { watchConfiguredFiles } from "./hooks/watch-configured-files.ts";
import { errorMessage, withHint } from "../../util/text/error-message.ts";
import type { ChosenSandbox } from "./sandbox/sandbox.ts";
import { openHostFleet } from "./fleet/open-host-fleet.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { unknownPeople } from "./people/unknown-people.ts";
import { createConfiguredPolicy, readConfiguredRules, type ConfiguredRules } from "./configured-policy.ts";
import { applyTrust, loadTrustedConfig, type Trusted } from "./store/apply-trust.ts";
import { createFolderTrust } from "./store/folder-trust.ts";
import { createChosenTools } from "./store/chosen-tools.ts";
import {
  openConfiguredStore,
  openPresentStore,
  workspaceSession,
  type Store,
} from "./store/open-configured-store.ts";

/**
 * Opens what an entry point needs: applies trust to the config, reads the rules, opens the store and creates the engine with
 * its tools. Throws a `ToolError` if one of them fails; nothing stays open then.
 */
export function openHost(options: LookOptions): Promise<Look>;
export function openHost(options: RunOptions): Promise<Host>;
export function openHost(options: LookOptions | RunOptions): Promise<Look> {
  return options.need === "look" ? openLook(options) : openRun(options);
}

async function openLook(options: LookOptions): Promise<Look> {
  const { warn, readsSession = false, resetsTools = false, startsMcpLate = false } = options;
  const trusted = await loadTrustedConfig(options);
  const { config, isTrusted, trust } = trusted;
  const rules = await readConfiguredRules(config, trust);
  const store = readsSession || hasMcpServers(config.mcp) ? await openPresentStore(config, warn) : undefined;
  return closingOnError(store, async () => {
    const chosen = await chooseSandbox(config, rules).catch((error: unknown): ChosenSandbox => {
      // A call would be refused with it; a list of tools is still useful.
      if (options.judges === true) throw error;
      warn(errorMessage(error));
      return { ...(config.policy.strictDeny && { strictDeny: { reason: errorMessage(error) } }) };
    });
    const { sandbox } = chosen;
    const levels = createLevels(config);
    levels.use(chosen);
    const policy = policyAt(levels, config, rules, chosen);
    const assembly = await assemble(config, {
      policy,
      executors: sandbox === undefined ? [] : [sandbox.executor],
      fleet: await openHostFleet(config),
      isTrusted,
      wasTrusted: trust?.wasTrusted,
      startsMcpLate,
      ...defined({ store }),
    });
    for (const warning of warningsOf(trusted, rules, assembly)) warn(warning);
    if (readsSession && store !== undefined) {
      const chosenTools = createChosenTools(store.collections, assembly.session);
      if (resetsTools) await chosenTools.forget();
      const chosen = await chosenTools.read();
      if (chosen !== undefined) chosenTools.apply(chosen, assembly.engine);
    }
    return { ...assembly, config, trusted, rules };
  });
}

async function openRun(options: RunOptions): Promise<Host> {
  const { need, warn, hooks, config: untrusted } = options;
  if (need === "stay") void loadCommandModules();
  const store = await openConfiguredStore(untrusted, warn);
  return closingOnError(store, async () => {
    const inForce = await readTrusted(options, store);
    const { instructions, trusted, config, rules, levels } = inForce;
    const { isTrusted, trust } = trusted;
    const policy = await openPolicy(inForce, store, warn);
    const mode = createModeSwitch(config.policy.mode);
    const { masker, fleet, queue, approver } = await openApprovals(options, config, store);
    const telemetry = await openTelemetry(config, warn);
    const { chosenTools, choice } = await readChoice(config, store, need);
    const assembly = await assemble(config, {
      store,
      only: choice === undefined ? options.only : undefined,
      isTrusted,
      wasTrusted: trust?.wasTrusted,
      policy,
      currentMode: mode.current,
      approver,
      masker,
      around: [...(telemetry === undefined ? [] : [telemetry.around]), ...(options.around ?? [])],
      ...(need === "stay" ? { isLongLived: true } : { startsMcpLate: true }),
      passesSampling: options.passesSampling === true,
      executors: [levels.executor],
      fleet,
      ...defined({ hooks, log: options.log?.(config), extensionLog: options.extensionLog?.(config) }),
    });
    telemetry?.watch(assembly.engine);
    for (const warning of warningsOf(trusted, rules, assembly)) warn(warning);
    if (choice !== undefined) chosenTools.apply(choice, assembly.engine);
    const watcher = need === "stay" ? await watchConfiguredFiles(config, assembly.engine, warn) : undefined;
    const removal = need === "stay" ? removeOld(config, store) : undefined;
    return {
      ...assembly,
      config,
      trusted,
      rules,
      store,
      queue,
      approver,
      judge: judgeIn(policy, mode.current),
      sandbox: levels.kind,
      telemetry,
      chosenTools,
      folderTrust: createFolderTrust(options, store.collections, instructions),
      mode: mode.current,
      setMode: (next) => mode.set(next),
      level: levels.current,
      setLevel: (level) => levels.set(level),
      async close() {
        watcher?.close();
        await removal;
        await assembly.close();
        await telemetry?.close();
      },
    };
  });
}

/** Reads which tools an earlier process chose; only single calls follow that. */
async function readChoice(
  { paths }: ConfigGroups<"paths">,
  { collections }: Store,
  need: RunOptions["need"],
) {
  const chosenTools = createChosenTools(collections, workspaceSession(paths.workspace[0]));
  return { chosenTools, choice: need === "call" ? await chosenTools.read() : undefined };
}

/** Opens the sandbox of a config, and creates the policy with it. */
async function openPolicy(
  { config, rules, levels }: Awaited<ReturnType<typeof readTrusted>>,
  store: Store,
  warn: CommonOptions["warn"],
): Promise<Policy> {
  const chosen = await openSandbox(config, rules, store, warn);
  levels.use(chosen, (sandbox) => chooseSandbox({ ...config, sandbox }, rules, store, warn));
  return policyAt(levels, config, rules, chosen);
}

/** Creates the policy of a config, with the sandbox that the level has at each call. */
function policyAt(
  { policySandbox: sandbox }: Levels,
  config: Config,
  rules: ConfiguredRules,
  { strictDeny }: ChosenSandbox,
): Policy {
  return createConfiguredPolicy(config, rules, { sandbox, ...defined({ strictDeny }) });
}

/** Opens what a question goes through, in order: the masker, the fleet, the queue and the approver that joins all others. */
async function openApprovals(
  { approvers, asksQueue = true, isWorker }: RunOptions,
  config: ConfigGroups<"fleet" | "paths" | "storage">,
  { collections, journal }: Store,
) {
  const masker = createMasker();
  const fleet = await openHostFleet(config, { isWorker, mask: masker.text, journal });
  const queue = createApprovalQueue(collections, { mask: masker.text });
  const others = asksQueue ? fleet.approver(queue.approver) : undefined;
  const approver = joinApprovers(approvers, others, config.paths.workspace[0]);
  return { masker, fleet, queue, approver };
}

/** Finishes changes of files that a crash interrupted, then reads what the folder has and the user trusts. */
async function readTrusted(
  { readsInstructions = false, mcpServers, ruleLayer, ...untrusted }: RunOptions,
  { collections }: Store,
) {
  const { changes } = stateFoldersOf(untrusted.config.paths);
  for (const problem of recoverChanges(changes)) untrusted.warn(problem);
  const instructions = readsInstructions ? findInstructions(untrusted.config.paths.workspace[0]) : [];
  const trusted = await applyTrust(untrusted, collections, instructionItems(instructions));
  const { mcp } = trusted.config;
  const config = { ...trusted.config, mcp: { ...mcp, servers: { ...mcpServers, ...mcp.servers } } };
  const levels = createLevels(config);
  const rules = await readConfiguredRules(config, trusted.trust, levels.current);
  const layers = ruleLayer === undefined ? rules.layers : [...rules.layers, ruleLayer];
  const inUse = instructions.filter(({ path, hash }) => trusted.isTrusted("instructions", path, hash));
  const ofUser = readsInstructions ? readOwnInstructions(config, untrusted.warn) : [];
  const unknown = config.storage.isShared ? [] : await unknownPeople(layers, collections);
  const inForce = { ...rules, layers, notes: [...rules.notes, ...unknown] };
  return { instructions: [...ofUser, ...inUse], trusted, config, rules: inForce, levels };
}

/** Returns the user's instructions for all projects; warns about a file that cannot be used. */
function readOwnInstructions(
  { paths }: ConfigGroups<"paths">,
  warn: CommonOptions["warn"],
): readonly ProjectInstructions[] {
  try {
    return readUserInstructions(paths);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    warn(withHint(error));
    return [];
  }
}

async function removeOld(config: ConfigGroups<"paths" | "storage">, { collections }: Store): Promise<void> {
  const { removeOld: remove } = await import("./store/remove-old.ts");
  return remove(stateFoldersOf(config.paths), config.storage.keepDays, collections);
}

async function closingOnError<T>(store: Store | undefined, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await store?.close();
    throw error;
  }
}

/** Returns one line for each thing that was ignored or refused. */
function warningsOf({ config, warnings }: Trusted, rules: ConfiguredRules, assembly: Assembly) {
  return [...config.report.warnings, ...warnings, ...rules.problems, ...rules.notes, ...assembly.warnings];
}
