import type { JsonObject } from "../../../core/json.ts";
import type { Finding } from "./finding.ts";
import { fail, pass, skipped } from "./finding.ts";
import { endOf, readAnswer } from "./read-answer.ts";
import type { Run } from "./run-once.ts";

const REFUSE = 'print {"error": "…", "error_code": "INVALID_INPUT"} for input that cannot be used';
const BIG_BYTES = 1024 * 1024;

/** An input that must not be taken for a good one: nothing here may have an effect. */
export interface BadInput {
  readonly check: string;
  readonly what: string;
  readonly args?: readonly string[];
  readonly stdin: string;
  /** It may also be taken for no parameters at all. */
  readonly mayBeTaken?: boolean;
}

/** Bad inputs that fit any program, and those that this one's schema allows to make. */
export function badInputs(input: JsonObject | undefined): readonly (BadInput | Finding)[] {
  const [required] = requiredOf(input);
  const none = "no parameter is required, so no input is known to be bad";
  const big = `{${JSON.stringify(required ?? "text")}: "${"x".repeat(BIG_BYTES)}`;
  return [
    { check: "flag", what: "an unknown flag", args: ["--toolwright-check"], stdin: "no JSON" },
    { check: "input.not-json", what: "input that is not JSON", stdin: "no JSON" },
    { check: "input.empty", what: "empty input", stdin: "", mayBeTaken: required === undefined },
    { check: "input.cut", what: "an object that was cut off", stdin: '{"' },
    { check: "input.big", what: "1 MB that was cut off", stdin: big },
    ...(required === undefined
      ? [skipped("input.missing", none), skipped("input.unknown", none)]
      : [
          { check: "input.missing", what: `{}, where ${required} is required`, stdin: "{}" },
          {
            check: "input.unknown",
            what: "nothing but an unknown parameter",
            stdin: '{"toolwright_check": true}',
          },
        ]),
  ];
}

/** It was refused: with an error in JSON, or at least an exit code. */
export function checkRefusal(input: BadInput, run: Run, limitMs: number): Finding {
  const { check, what } = input;
  if (run.isLate) {
    const mend = "read standard input to its end, then answer; never wait for a person";
    return fail(check, `given ${what} it did not end within ${limitMs / 1000} s`, mend);
  }
  if (run.signal !== null) return fail(check, `given ${what} it ${endOf(run)}`, REFUSE);
  const answer = readAnswer(run);
  if (answer.kind === "error") {
    const { code = "no error_code" } = answer;
    return pass(check, `${what} is refused: ${code}`);
  }
  if (run.exitCode !== 0) {
    return pass(check, `${what} is refused with exit code ${run.exitCode}; an error in JSON would say more`);
  }
  if (answer.kind === "value" && input.mayBeTaken === true) {
    return pass(check, `${what} is taken for no parameters`);
  }
  const says = answer.kind === "none" ? answer.why : "answered as if it were good";
  return fail(check, `given ${what} it ${says}, with exit code 0`, REFUSE);
}

function requiredOf(input: JsonObject | undefined): readonly string[] {
  const required = input?.["required"];
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
