import type { ResolvePath } from "../../engine/types/run-options.ts";
import { resolveTarget } from "../../system/paths/paths.ts";

/** The canonical target of a path that a command names. */
export const resolveWord: ResolvePath = ({ text, cwd, access }) => resolveTarget(text, { cwd, access });
