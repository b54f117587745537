import { ToolError } from "../../core/errors.ts";
import { NO_SANDBOX, type Executor } from "../../core/executor.ts";
import type { Level } from "../../core/policy.ts";
import type { PolicySandbox } from "../../policy/layers/limits.ts";
import { defined } from "../../util/json/defined.ts";
import type { ConfigGroups } from "../config/groups.ts";
import type { ChosenSandbox, Sandbox } from "./sandbox/sandbox.ts";

type LevelConfig = ConfigGroups<"policy" | "sandbox">;
type FindSandbox = (settings: LevelConfig["sandbox"]) => Promise<ChosenSandbox>;

/** The level that is in force, and the sandbox of programs; a person can change both while a program runs. */
export type Levels = ReturnType<typeof createLevels>;

/** Holds the level of a config. */
export function createLevels(config: LevelConfig) {
  let level = config.policy.level;
  let sandbox: Sandbox | undefined;
  let find: FindSandbox = () => Promise.resolve({});
  return {
    current: (): Level => level,
    kind: (): Sandbox["kind"] | "none" => sandbox?.kind ?? "none",
    /** Uses a sandbox for programs; `others` finds the one of another level. */
    use(chosen: Pick<ChosenSandbox, "sandbox">, others: FindSandbox = find): void {
      sandbox = chosen.sandbox;
      find = others;
    },
    /** What policy needs to know of the sandbox now. */
    policySandbox: (): PolicySandbox | undefined =>
      sandbox && policySandbox(sandbox, runsUnasked(config, level)),
    /** Runs jobs in the sandbox that is in use. */
    executor: switchedExecutor(() => sandbox?.executor),
    /**
     * Sets the level for calls that are judged from now on. A sandbox that is in use stays: a call that was allowed because of it must
     * not run outside. Rejects with `UNAVAILABLE`, and changes nothing, if the level would have no effect here.
     */
    async set(next: Level): Promise<void> {
      if (next === "read-only") await checkReadOnly(config);
      if (next === "workspace") sandbox = await confining(config, sandbox, find);
      level = next;
    },
  };
}

/** Options of a person hold at each level; those of the level `workspace` only there. */
function runsUnasked({ policy, sandbox }: LevelConfig, level: Level): boolean {
  if (level === "workspace") return true;
  return policy.level !== "workspace" && sandbox.options.runsUnasked;
}

function policySandbox({ isConfined, isPrivate, hasOwnSystem }: Sandbox, isUnasked: boolean): PolicySandbox {
  return { isConfined, runsUnasked: isUnasked, hasOwnSystem, ...defined({ isPrivate }) };
}

/** Throws unless read-only sandboxes work: without them the level is the same as `ask`. */
async function checkReadOnly({ policy, sandbox }: LevelConfig): Promise<void> {
  const fault = "the level read-only has no effect here";
  if (!policy.shell.sandbox || sandbox.kind === "process")
    throw new ToolError("UNAVAILABLE", `${fault}: shell.sandbox is off, or sandbox is "process"`);
  // Loaded on use: most programs never change their level.
  const { probeBoxes } = await import("../../system/box/box.ts");
  const probe = await probeBoxes();
  if (!probe.works) throw new ToolError("UNAVAILABLE", `${fault}: ${probe.reason}`, { hint: probe.hint });
}

/** Returns the sandbox of the level `workspace`. */
async function confining(
  { sandbox: { kind, options } }: LevelConfig,
  current: Sandbox | undefined,
  find: FindSandbox,
): Promise<Sandbox> {
  const fault = "the level workspace has no effect here";
  if (current !== undefined) {
    if (kind !== "none") return current;
    // Sessions that use the sandbox of strictDeny keep it, and it may have a network.
    throw new ToolError("UNAVAILABLE", `${fault}: the sandbox of strictDeny is in use`, {
      hint: "start again with --level workspace",
    });
  }
  const { sandbox, warning } = await find({ kind: kind === "none" ? "auto" : kind, options });
  if (sandbox === undefined)
    throw new ToolError("UNAVAILABLE", `${fault}: ${warning ?? "there is no sandbox"}`);
  return sandbox;
}

/** Behaves as the executor that is current at each call; without one, tools run on the host. */
function switchedExecutor(current: () => Executor | undefined): Executor {
  return {
    place: NO_SANDBOX.place,
    fallback: "host",
    runsHere: (tool) => (current() ?? NO_SANDBOX).runsHere?.(tool) !== false,
    accepts: (job) => current()?.accepts?.(job) !== false,
    execute: (job, context) => (current() ?? NO_SANDBOX).execute(job, context),
  };
}

/** Returns whether the levels differ here: only with the sandbox that they need, and without one that is chosen for all programs. */
export async function haveLevelsEffect({ policy, sandbox }: LevelConfig): Promise<boolean> {
  if (!policy.shell.sandbox || sandbox.kind !== "none") return false;
  const { probeBoxes } = await import("../../system/box/box.ts");
  return (await probeBoxes()).works;
}

/** Returns true as long as no level is chosen. */
export function isLevelUnset({ report }: ConfigGroups<"report">): boolean {
  return report.origins.find(({ key }) => key === "level")?.from === "default";
}
