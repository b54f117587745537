import { ToolError } from "../../../core/errors.ts";
import type { Executor, PlacedTool } from "../../../core/executor.ts";
import type { Job } from "../../../core/job.ts";
import type { Collections } from "../../../core/store/collection.ts";
import { createSandboxExecutor } from "../../../remote/sandbox-executor.ts";
import { OWN_BOX, probeBox, type BoxName } from "../../../system/box/box.ts";
import { HOST_PROCESS } from "../../../tools/running/background-processes.ts";
import { defined } from "../../../util/json/defined.ts";
import type { SandboxSettings } from "../../config/groups.ts";
import type { StrictDeny } from "../../../policy/layers/limits.ts";
import { startToolServer } from "./start-tool-server.ts";
import type { ToolServerConfig } from "./tool-server-program.ts";
import { strictSandbox, type StrictRules } from "./strict-deny.ts";
import { deletes, listsProcesses, listAll, noteFiles } from "./sandbox-notes.ts";

/** The sandbox that a config chose. */
export interface Sandbox {
  readonly kind: BoxName | "process";
  readonly executor: Executor;
  /** Programs in it reach other machines, or ports of this one. */
  readonly hasNetwork: boolean;
  /** Returns true for a job that can reach neither the network nor files outside the workspace. */
  readonly isConfined: (job: Job) => boolean;
  /** Returns true for a job that runs there, where /tmp, the home folder and /proc are its own; undefined for a kind in which they are those of this machine. */
  readonly isPrivate?: (job: Job) => boolean;
  /** True: its programs and settings are those of an image. */
  readonly hasOwnSystem: boolean;
}

/** The chosen sandbox, or a warning if `auto` found none that works; neither without a setting. */
export interface ChosenSandbox {
  readonly sandbox?: Sandbox;
  readonly warning?: string;
  /** Set with the setting `strictDeny`. */
  readonly strictDeny?: StrictDeny;
}

/** Where the host records and reports things. */
export interface SandboxState {
  /** Running programs, for the next process after a crash. */
  readonly stateFolder?: string;
  /** The files that agents know. */
  readonly collections?: Collections;
  readonly warn?: (warning: string) => void;
}

/** Chooses the sandbox of the config. Rejects with `UNAVAILABLE` if one that is named does not work: nothing runs outside it then. */
export async function chooseSandbox(
  config: ToolServerConfig,
  state: SandboxState = {},
  strict?: StrictRules,
): Promise<ChosenSandbox> {
  if (strict === undefined) return findSandbox(config, state);
  const chosen = await findSandbox({ ...config, sandbox: strictSandbox(config.sandbox, strict) }, state, {
    isStrict: true,
  });
  return { ...chosen, strictDeny: strictPlace(chosen.sandbox, chosen.reason) };
}

/** Returns what policy needs to know: the sandbox that was chosen, or why there is none. */
function strictPlace(sandbox: Sandbox | undefined, reason: string | undefined): StrictDeny {
  if (sandbox === undefined) return { reason: `none works here: ${reason}` };
  if (sandbox.kind === "process") return { reason: 'the sandbox "process" isolates nothing' };
  const { hasNetwork, executor } = sandbox;
  return { sandbox: { hasNetwork, holds: (tool) => executor.runsHere?.(tool) !== false } };
}

/** With `isStrict`, a config without a sandbox gets one for the jobs that policy confines. */
async function findSandbox(
  config: ToolServerConfig,
  state: SandboxState,
  { isStrict = false }: { readonly isStrict?: boolean } = {},
): Promise<ChosenSandbox & { readonly reason?: string }> {
  const { kind: wanted } = config.sandbox;
  if (wanted === "none" && !isStrict) return {};
  if (wanted === "process") return { sandbox: createSandbox("process", config, state) };
  const kinds = wanted === "auto" || wanted === "none" ? strongestFirst(config.sandbox) : [wanted];
  const failedProbes = [];
  for (const kind of kinds) {
    const probe = await probeBox(kind, undefined, config.sandbox.options.mounts);
    if (probe.works) return { sandbox: createSandbox(kind, config, state) };
    failedProbes.push({ kind, ...probe });
  }
  const [first] = failedProbes;
  const { reason = "", hint = "" } = first ?? {};
  if (wanted === "none") return { reason: `${reason}; ${hint}` };
  if (wanted === "auto")
    return { warning: `no sandbox is available, programs run on the host: ${reason}; ${hint}`, reason };
  throw new ToolError("UNAVAILABLE", `the sandbox ${wanted} is not available: ${reason}`, { hint });
}

/**
 * Returns the kinds that `auto` tries. Bubblewrap shows programs the least, and starts the fastest; it and srt can let them reach single
 * domains; a container needs a service, and is for machines without the others.
 */
export function strongestFirst({ options: { domains } }: SandboxSettings): readonly BoxName[] {
  if (domains.length > 0) return process.platform === "darwin" ? ["srt"] : [OWN_BOX, "srt"];
  return process.platform === "darwin" ? ["srt", OWN_BOX, "podman", "docker"] : [OWN_BOX, "podman", "docker"];
}

/** Returns true for a tool that runs in the sandbox, unless a call of it asks for the host. */
function isInside(
  { source, place, group, name }: PlacedTool,
  { options: { tools, workspace } }: SandboxSettings,
): boolean {
  // The browser has a sandbox of its own.
  if (source !== "built-in" || place !== "sandbox" || group === "browser") return false;
  if (group === "running" || workspace === "copy") return true;
  return tools === "all" && name !== "delete_file";
}

function createSandbox(
  kind: Sandbox["kind"],
  config: ToolServerConfig,
  { stateFolder, collections, warn }: SandboxState,
): Sandbox {
  const runsHere = (tool: PlacedTool): boolean => isInside(tool, config.sandbox);
  const { network, domains, workspace } = config.sandbox.options;
  // What is deleted goes to the trash, which is on the host.
  const isTrashed = (job: Job): boolean => workspace !== "copy" && deletes(job);
  const isWanted = config.sandbox.kind === "none" ? isConfined : () => true;
  const accepts = (job: Job): boolean =>
    runsHere(job.tool) && isWanted(job) && !runsElsewhere(job) && !isTrashed(job);
  const inner = createSandboxExecutor({
    accepts,
    // The proxy of a session listens on loopback, and srt has proxies of its own.
    reachesProxy: kind === "process" || (network && kind !== "srt"),
    note: NOTE,
    start: (context, signal) => startToolServer({ kind, config, stateFolder, warn }, context, signal),
  });
  return {
    kind,
    hasNetwork: kind === "process" || network || domains.length > 0,
    executor: {
      ...inner,
      runsHere,
      async execute(job, context) {
        if (listsProcesses(job)) return listAll(inner, job, context);
        const output = await inner.execute(job, context);
        await noteFiles(job, context, { root: config.paths.workspace[0], ...defined({ collections }) });
        return output;
      },
    },
    isConfined: (job) => kind !== "process" && !network && domains.length === 0 && accepts(job),
    // A config without a sandbox has one only for some programs, and others use this machine's files.
    ...(kind !== "process" &&
      kind !== "seatbelt" &&
      config.sandbox.kind !== "none" && { isPrivate: accepts }),
    hasOwnSystem: config.sandbox.options.image !== undefined && (kind === "podman" || kind === "docker"),
  };
}

/**
 * Returns true for a job that `strictDeny` confines, and for one that runs no command: it is about processes and interpreters,
 * which are in the sandbox unless their id says otherwise.
 */
function isConfined({ facts }: Job): boolean {
  return facts.every((fact) => fact.kind !== "command" || fact.isConfined === true);
}

const NOTE =
  "[it ran in a sandbox with only the workspace and the programs of this machine, and a /tmp of its own; if it failed because of that, outside_sandbox: true asks for approval to run it on the host]";

/**
 * A command that is only proven to read has a read-only sandbox of its own, unless it lasts: what later calls see of it is in the
 * session's sandbox. One that asked for the host runs there, and so do calls about a process that it started there.
 */
function runsElsewhere({ facts, input }: Job): boolean {
  const { id } = input;
  if (typeof id === "string" && HOST_PROCESS.test(id)) return true;
  const lasts = input["background"] === true || input["terminal_id"] !== undefined;
  return facts.some(
    (fact) => fact.kind === "command" && (fact.outside === true || (fact.place === "sandbox" && !lasts)),
  );
}
