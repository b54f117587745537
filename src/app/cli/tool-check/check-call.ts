import { fail, pass, type Finding } from "./finding.ts";
import { endOf, readAnswer, type Run } from "./run-once.ts";

const ONE_VALUE = "print exactly one JSON value to standard output; print everything else to standard error";

/** Checks that a valid call is answered with one value. */
export function checkCall(run: Run): Finding {
  const check = "call";
  if (run.isLate) return fail(check, "the call timed out", "set timeout_seconds in the schema");
  const answer = readAnswer(run);
  if (answer.kind === "error")
    return fail(check, `the call failed: ${answer.error}`, "pass other --args, or fix the tool");
  if (run.exitCode !== 0) return fail(check, `it ${endOf(run)}`, "exit with 0 after a successful call");
  if (answer.kind === "none") return fail(check, `it ${answer.why}`, ONE_VALUE);
  return pass(check, "the call is answered with one JSON value");
}
