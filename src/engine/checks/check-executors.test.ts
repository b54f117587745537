import assert from "node:assert/strict";
import { test } from "node:test";
import type { Executor } from "../../core/executor.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const GPU = { place: "gpu", execute: () => 1 };

const WRONG: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /an executor has the place nothing/],
  [{ execute: () => 1 }, /an executor has the place nothing/],
  [{ ...GPU, place: "" }, /an executor has the place ""/],
  [{ ...GPU, place: 5 }, /an executor has the place 5/],
  [{ place: "gpu" }, /the executor of "gpu" has no function execute/],
  [{ ...GPU, isElsewhere: "yes" }, /isElsewhere is "yes"/],
  [{ ...GPU, retriesItself: 1 }, /retriesItself is 1/],
  [{ ...GPU, fallback: "hots" }, /fallback is "hots"/],
  [{ ...GPU, fallback: true }, /fallback is true/],
  [{ ...GPU, accepts: true }, /accepts is true/],
  [{ ...GPU, runsHere: "no" }, /runsHere is "no"/],
  [{ ...GPU, overrides: {} }, /overrides is an object/],
];

test("an executor with a wrong value, or a second one for a place, is refused when the engine is created", () => {
  for (const [executor, message] of WRONG)
    assert.throws(() => createEngine({ executors: [executor as Executor] }), {
      code: "INVALID_INPUT",
      message,
    });
  assert.throws(() => createEngine({ executors: [GPU, { ...GPU }] }), /two executors have the place "gpu"/);
  const all: Executor = {
    ...GPU,
    isElsewhere: false,
    retriesItself: true,
    fallback: "host",
    accepts: () => true,
    runsHere: () => true,
    overrides: () => false,
  };
  createEngine({ executors: [all, { ...GPU, place: "host" }, { ...GPU, place: "sandbox" }] });
});

test("types refuse what is no executor, and the place of a tool is a name", () => {
  const executors = (): readonly Executor[] => [
    GPU,
    // @ts-expect-error: it cannot run jobs.
    { place: "gpu" },
    // @ts-expect-error: jobs fall back to the host only.
    { ...GPU, fallback: "gpu" },
    // @ts-expect-error: whether it accepts a job cannot be waited for.
    { ...GPU, accepts: async () => false },
  ];
  assert.equal(typeof executors, "function");
  for (const place of ["", 5, null])
    assert.throws(() => defineTool({ name: "t", description: "", place: place as string, run: () => 1 }), {
      code: "INVALID_INPUT",
      message: /its place is/,
    });
});
