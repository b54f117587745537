import type { ConfigGroups } from "../config/groups.ts";

type LevelConfig = ConfigGroups<"policy" | "sandbox">;

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
