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

/** Some of the people: those with one of these ids, and those in one of these groups or with one of these roles. */
export interface People {
  /** Ids. */
  readonly people?: readonly string[];
  /** Names of groups. */
  readonly groups?: readonly string[];
  /** Names of roles. */
  readonly roles?: readonly string[];
}

/** Who approves the calls that a rule asks about. */
export interface Approvers extends People {
  /** How many different people must approve. Default: 1. */
  readonly count?: number;
  /** The user of the call is not one of them; a call without a user is then never approved. */
  readonly notSelf?: boolean;
}
