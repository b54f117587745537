/** An id for a call that came without one, short enough for every provider. */
export function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}
