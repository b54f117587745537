/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: "pass" | "fail" | "skipped";
  readonly message: string;
  readonly fix?: string;
}

export function pass(check: string, message: string): Finding {
  return { check, state: "pass", message };
}

export function fail(check: string, message: string, fix: string): Finding {
  return { check, state: "fail", message, fix };
}

export function skipped(check: string, message: string): Finding {
  return { check, state: "skipped", message };
}
