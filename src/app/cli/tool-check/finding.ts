/** What one check came to. */
export interface Finding {
  readonly check: string;
  readonly state: "pass" | "fail" | "skipped";
  readonly says: string;
  /** What to change. */
  readonly mend?: string;
}

export function pass(check: string, says: string): Finding {
  return { check, state: "pass", says };
}

export function fail(check: string, says: string, mend: string): Finding {
  return { check, state: "fail", says, mend };
}

export function skipped(check: string, says: string): Finding {
  return { check, state: "skipped", says };
}
