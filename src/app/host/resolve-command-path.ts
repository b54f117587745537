import type { ResolvePath } from "../../engine/types/options.ts";

/** Returns the canonical target of a path that a command names. */
export const resolveCommandPath: ResolvePath = async ({ text, cwd, access }) => {
  const { resolveTarget } = await import("../../system/paths/paths.ts");
  return resolveTarget(text, { cwd, access, isElsewhere: true });
};
