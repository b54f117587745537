import type { ListedMutants } from "../equivalent.ts";
import { DYNAMIC, FOR_PEOPLE, OTHER_TEST, STRICTER } from "./reasons.ts";

export const ENGINE: ListedMutants = {
  "src/engine/call/ask-approver.ts": [
    [
      "engine.approver === undefined",
      "false",
      "without an approver the question is answered the same, after two events",
    ],
    ['"question"', '""', "the hash of a question has its text and its call anyway"],
    ["approver === undefined", "false", "what would be thrown is a denial too"],
    ['{ approved: false, reason: "there is no approver", hint: "give createEngine an a…', "{}", DYNAMIC],
    ["false", "true", DYNAMIC],
    ['{ approved: false, reason: "the call was cancelled" }', "{}", DYNAMIC],
  ],
  "src/engine/checks/check-executors.ts": [
    ["{ hint }", "{}", FOR_PEOPLE],
    ['`"${HOST}"`', "``", FOR_PEOPLE],
  ],
  "src/engine/checks/check-verdict.ts": [['"no-verdict"', '""', FOR_PEOPLE]],
  "src/engine/pipeline/check-options.ts": [
    [
      'typeof options === "object" && Object.getPrototypeOf(options ?? {})',
      "*",
      "test/options-of-classes.test.ts notices it, after the time of the run",
    ],
    ['"object"', '""', "test/options-of-classes.test.ts notices it, after the time of the run"],
    ["options ?? {}", "*", "test/options-of-classes.test.ts notices it, after the time of the run"],
    [
      "prototype === false || prototype === null || prototype === Object.prototype",
      "*",
      "test/options-of-classes.test.ts notices it, after the time of the run",
    ],
    ["prototype === null", "*", "a shortcut: a copy of plain options has the same values"],
    ["prototype === Object.prototype", "*", "a shortcut: a copy of plain options has the same values"],
    [
      "Object.keys(KINDS).filter((name) => name in options)",
      "*",
      "a shortcut: a copy of plain options has the same values",
    ],
  ],
  "src/engine/pipeline/inner-calls.ts": [
    [
      "verdict !== undefined && job !== undefined",
      "verdict !== undefined || job !== undefined",
      "a call that is examined has a verdict and a job, or neither; else the question would fail",
    ],
    [
      "verdict !== undefined",
      "true",
      "a call that is examined has a verdict and a job, or neither; else the question would fail",
    ],
    [
      "job !== undefined",
      "true",
      "a call that is examined has a verdict and a job, or neither; else the question would fail",
    ],
  ],
  "src/engine/pipeline/judge.ts": [['"call.judged"', '""', OTHER_TEST]],
  "src/engine/pipeline/route.ts": [['"NO_EXECUTOR"', '""', OTHER_TEST]],
  "src/engine/checks/check-approval.ts": [
    ['typeof by !== "string"', "true", STRICTER],
    ['"string"', '""', STRICTER],
  ],
  "src/engine/checks/check-declared.ts": [["level < 0", "level <= 0", OTHER_TEST]],
  "src/engine/pipeline/ask.ts": [
    ["{ by }", "{}", FOR_PEOPLE],
    ["by !== undefined && { by }", "*", FOR_PEOPLE],
    ["by !== undefined", "*", FOR_PEOPLE],
    [
      "fault !== undefined",
      "false",
      "src/engine/call/rehearse.test.ts notices it, after the time of the run",
    ],
    ['options.place ?? placeOf(engine.executors, required(state.job, "job").tool)', "*", OTHER_TEST],
    ['(job) => verdictOn(state, undefined, job).kind === "allow"', "*", OTHER_TEST],
    [
      'verdict.kind !== "ask"',
      "false",
      "grants are looked up for a call that is allowed, which they allow too",
    ],
    ["approval.offer === undefined", "false", "an offer of no index is none"],
    ['source !== "app"', "false", FOR_PEOPLE],
    ["approval.dismissed === undefined", "true", FOR_PEOPLE],
  ],
};
