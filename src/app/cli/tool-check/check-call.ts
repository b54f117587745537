import type { Finding } from "./finding.ts";
import { fail, pass } from "./finding.ts";
import { endOf, readAnswer } from "./read-answer.ts";
import type { Run } from "./run-once.ts";

const ONE_VALUE =
  "print exactly one JSON value on standard output; what else there is to say goes to standard error";

/** A good call was answered with one value. */
export function checkCall(run: Run): Finding {
  const check = "call";
  if (run.isLate)
    return fail(check, "the call did not end in time", "ask for more time in the schema: timeout_seconds");
  const answer = readAnswer(run);
  if (answer.kind === "error") {
    return fail(check, `the call failed: ${answer.error}`, "give other --args, or mend the tool");
  }
  if (run.exitCode !== 0) return fail(check, `it ${endOf(run)}`, "exit 0 where a call went well");
  if (answer.kind === "none") return fail(check, `it ${answer.why}`, ONE_VALUE);
  return pass(check, "the call is answered with one JSON value");
}

/** A parameter that nobody knows, beside good ones: passed over, or refused. */
export function checkStranger(run: Run): Finding {
  const check = "call.unknown";
  const answer = readAnswer(run);
  if (run.isLate || run.signal !== null || (answer.kind === "none" && run.exitCode === 0)) {
    const how = run.isLate ? "does not end" : endOf(run);
    return fail(check, `given one parameter too many it ${how}`, "pass over what is not known, or refuse it");
  }
  const isTaken = answer.kind === "value" && run.exitCode === 0;
  return pass(check, `one parameter too many is ${isTaken ? "passed over" : "refused"}`);
}
