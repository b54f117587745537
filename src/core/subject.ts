/** The user on whose behalf calls run. */
export interface Subject {
  /** Calls are recorded and approvals are stored under it. */
  readonly id: string;
  /** Without them it is not known which the user is in: rules that name some allow nothing. */
  readonly groups?: readonly string[];
  /** As `groups`. */
  readonly roles?: readonly string[];
}

/** Returns the id of a user who is passed by id or as an object. */
export function idOfSubject(subject: string | Subject | undefined): string | undefined {
  return typeof subject === "object" ? subject.id : subject;
}
