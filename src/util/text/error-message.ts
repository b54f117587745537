/** Returns the message of an error; any other thrown value as text. A failed connection to several addresses has that of the last. */
export function errorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return errorMessage(error.errors.at(-1));
  return error instanceof Error ? error.message || error.name : String(error);
}

interface Hinted {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Returns the message of an error or a fault and, behind it, what to do about it. */
export function withHint({ message, hint }: Hinted): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
