import type { JsonObject } from "../../../core/json.ts";
import { fail, pass, skipped, type Finding } from "./finding.ts";
import { endOf, readAnswer, type Run } from "./run-once.ts";

const REFUSE = 'print {"error": "…", "error_code": "INVALID_INPUT"} for invalid input';
const BIG_BYTES = 1024 * 1024;

/** An invalid input, which the program must refuse without any effect. */
export interface BadInput {
  readonly check: string;
  readonly what: string;
  readonly args?: readonly string[];
  readonly stdin: string;
  /** It may also be accepted as no parameters. */
  readonly mayBeAccepted?: boolean;
}

/** Returns invalid inputs for any program, and those derived from the schema of this one. */
export function badInputs(input: JsonObject | undefined): readonly (BadInput | Finding)[] {
  const [required] = requiredOf(input);
  const none = "no parameter is required, so every object may be valid";
  const big = `{${JSON.stringify(required ?? "text")}: "${"x".repeat(BIG_BYTES)}`;
  return [
    { check: "flag", what: "an unknown flag", args: ["--toolwright-check"], stdin: "no JSON" },
    { check: "input.not-json", what: "input that is not JSON", stdin: "no JSON" },
    { check: "input.empty", what: "empty input", stdin: "", mayBeAccepted: required === undefined },
    { check: "input.cut", what: "a truncated object", stdin: '{"' },
    { check: "input.big", what: "a truncated object of 1 MB", stdin: big },
    ...(required === undefined
      ? [skipped("input.missing", none), skipped("input.unknown", none)]
      : [
          { check: "input.missing", what: `{} without the required ${required}`, stdin: "{}" },
          {
            check: "input.unknown",
            what: "an object with only an unknown parameter",
            stdin: '{"toolwright_check": true}',
          },
        ]),
  ];
}

/** Checks that the input was refused, with a JSON error or at least an exit code. */
export function checkRefusal(input: BadInput, run: Run, limitMs: number): Finding {
  const { check, what } = input;
  if (run.isLate) {
    const fix = "read standard input to its end, then answer; never prompt";
    return fail(check, `with ${what} it did not end within ${limitMs / 1000} s`, fix);
  }
  if (run.signal !== null) return fail(check, `with ${what} it ${endOf(run)}`, REFUSE);
  const answer = readAnswer(run);
  if (answer.kind === "error") {
    const { code = "no error_code" } = answer;
    return pass(check, `${what} is refused: ${code}`);
  }
  if (run.exitCode !== 0)
    return pass(check, `${what} is refused with exit code ${run.exitCode}; prefer a JSON error`);
  if (answer.kind === "value" && input.mayBeAccepted === true)
    return pass(check, `${what} is accepted as no parameters`);
  const message = answer.kind === "none" ? answer.why : "answered as if it were valid";
  return fail(check, `with ${what} it ${message}, with exit code 0`, REFUSE);
}

function requiredOf(input: JsonObject | undefined): readonly string[] {
  const required = input?.["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

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
