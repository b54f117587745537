import { test } from "node:test";
import { testExecutor, type TestedExecutor } from "../../src/app/host/testing/contracts/executor.ts";
import { hostExecutor } from "../../src/engine/pipeline/route.ts";
import { wrapExecutor } from "../../src/engine/pipeline/wrap-executor.ts";
import type { RegisterTest } from "../../src/app/host/testing/contracts/kit.ts";

/** Here, so that a report names this file. */
const register: RegisterTest = (name, run) => test(name, run);

const elsewhere = (): TestedExecutor => ({
  place: "elsewhere",
  execute: async (job, context) => hostExecutor.execute(job, context),
});

testExecutor(async () => elsewhere(), { test: register, name: "in the process" });
testExecutor(async () => wrapExecutor(elsewhere(), [(_, next) => next()]), {
  test: register,
  name: "wrapped",
});
