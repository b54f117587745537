import type { ListedMutants } from "./equivalent.ts";

/** The mutants that no test notices although they may change something, by file, with what they would change. They count as not noticed. */
export const SURVIVORS: ListedMutants = {};
