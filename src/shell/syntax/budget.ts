/**
 * What may still be spent on reading one command, including every script, guess and wrapper in it. A step is about a
 * microsecond of work at most, so a hostile command delays other calls by no more than a few dozen milliseconds.
 */
export interface Budget {
  left: number;
}

/** Longer texts are not read at all. */
export const MAX_CHARACTERS = 65_536;

const MAX_STEPS = 50_000;

export const TOO_COSTLY = "reading it would take too long";

export function createBudget(): Budget {
  return { left: MAX_STEPS };
}

/** Takes steps from the budget. Returns false if it is spent: the command is then unreadable. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return budget.left >= 0;
}
