/** The statuses of refusals that are not errors of a call. */
export const REFUSED = { NOT_FOUND: 404, CONFLICT: 409 } as const;

/** A request about a thing that does not exist, or that came too late: the thing has changed. */
export class Refusal extends Error {
  readonly code: keyof typeof REFUSED;
  readonly hint: string | undefined;

  constructor(code: Refusal["code"], message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
