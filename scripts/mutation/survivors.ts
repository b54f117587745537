import type { ListedMutants } from "./equivalent.ts";
import { ENGINE } from "./survivors/engine.ts";
import { MATCH } from "./survivors/match.ts";
import { POLICY } from "./survivors/policy.ts";
import { SHELL } from "./survivors/shell.ts";

/**
 * The mutants that no test notices although they may change something, by file, with what they change. They count as not noticed. Each is listed
 * with its code: a new one is "not looked at" until it is listed.
 */
export const SURVIVORS: ListedMutants = { ...ENGINE, ...MATCH, ...POLICY, ...SHELL };
