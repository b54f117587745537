/** What tells a recorded call from every other: callers number their calls, so that ids repeat. */
export interface CallKey {
  readonly callId: string;
  readonly receivedAt: number;
}

/** Returns the key of a recorded call as text, such as `1@mi5n2x3k`. */
export function callKey({ callId, receivedAt }: CallKey): string {
  return `${callId}@${receivedAt.toString(36)}`;
}

/** Reads the text of a key; undefined for any other text. */
export function readCallKey(text: string): CallKey | undefined {
  const [, callId, time] = /^(.+)@([0-9a-z]{1,9})$/s.exec(text) ?? [];
  return callId === undefined || time === undefined
    ? undefined
    : { callId, receivedAt: Number.parseInt(time, 36) };
}
