import { useState } from "react";

interface Waiting {
  readonly id: string;
  readonly askedAt: number;
}

/** The approval on screen. */
export interface Shown<Pending> {
  readonly pending: Pending;
  /** False once it was answered or its caller left. */
  readonly isWaiting: boolean;
}

/**
 * Returns the approval to show: the one that the address names, else the one shown last, else the oldest. It stays until the person
 * chooses another, also after it was answered, so that nothing changes under the pointer. Undefined if the named one is not known.
 */
export function useShown<Pending extends Waiting>(
  waiting: readonly Pending[],
  id: string | undefined,
): Shown<Pending> | undefined {
  const [last, setLast] = useState<Pending>();
  const wanted = id ?? last?.id ?? waiting[0]?.id;
  const current = waiting.find((one) => one.id === wanted);
  if (current !== undefined && current.id !== last?.id) setLast(current);
  const pending = current ?? (last?.id === wanted ? last : undefined);
  return pending && { pending, isWaiting: current !== undefined };
}

/** Returns the approval that is a number of steps away in the list; from one that no longer waits, the next that was asked. */
export function neighbour<Pending extends Waiting>(
  waiting: readonly Pending[],
  shown: Pending | undefined,
  steps: 1 | -1,
): Pending | undefined {
  if (shown === undefined) return waiting[0];
  const index = waiting.findIndex((one) => one.id === shown.id);
  if (index >= 0) return waiting[(index + steps + waiting.length) % waiting.length];
  const later = waiting.findIndex((one) => one.askedAt > shown.askedAt);
  const from = later < 0 ? waiting.length : later;
  const to = steps > 0 ? from : from - 1;
  return waiting[(to + waiting.length) % Math.max(1, waiting.length)];
}
