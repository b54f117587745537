/** Returns the message of an error; any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the message of an error or a fault and, behind it, what to do about it. */
export function withHint({
  message,
  hint,
}: {
  readonly message: string;
  readonly hint?: string | undefined;
}): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
