import type { Finding } from "./finding.ts";
import { fail, pass } from "./finding.ts";
import { endOf, readAnswer } from "./read-answer.ts";
import type { Run } from "./run-once.ts";

const ONE_VALUE = "print exactly one JSON value to standard output; print everything else to standard error";

/** Checks that a valid call is answered with one value. */
export function checkCall(run: Run): Finding {
  const check = "call";
  if (run.isLate) return fail(check, "the call timed out", "set timeout_seconds in the schema");
  const answer = readAnswer(run);
  if (answer.kind === "error") {
    return fail(check, `the call failed: ${answer.error}`, "pass other --args, or fix the tool");
  }
  if (run.exitCode !== 0) return fail(check, `it ${endOf(run)}`, "exit with 0 after a successful call");
  if (answer.kind === "none") return fail(check, `it ${answer.why}`, ONE_VALUE);
  return pass(check, "the call is answered with one JSON value");
}

/** Checks that an unknown parameter beside valid ones is ignored or refused. */
export function checkUnknownParameter(run: Run): Finding {
  const check = "call.unknown";
  const answer = readAnswer(run);
  if (run.isLate || run.signal !== null || (answer.kind === "none" && run.exitCode === 0)) {
    const how = run.isLate ? "does not end" : endOf(run);
    return fail(check, `with an unknown parameter it ${how}`, "ignore unknown parameters, or refuse them");
  }
  const isIgnored = answer.kind === "value" && run.exitCode === 0;
  return pass(check, `an unknown parameter is ${isIgnored ? "ignored" : "refused"}`);
}
