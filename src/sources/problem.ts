import type { SourceProblem } from "../core/source.ts";

/** Why a file, a program or an extension cannot be used. */
export type Problem = Pick<SourceProblem, "reason" | "message" | "hint">;
