/** A request that came too late: the thing it is about has changed. */
export class Conflict extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
