import { PassThrough } from "node:stream";
import { test } from "node:test";
import {
  executorTools,
  testExecutor,
  type TestedExecutor,
} from "../../src/app/host/testing/contracts/executor.ts";
import { hostExecutor } from "../../src/engine/pipeline/route.ts";
import { wrapExecutor } from "../../src/engine/pipeline/wrap-executor.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createToolClient } from "../../src/remote/client.ts";
import { createJobs } from "../../src/remote/jobs.ts";
import { createSandboxExecutor, type StartedServer } from "../../src/remote/sandbox-executor.ts";
import { serveLines } from "../../src/remote/serve-lines.ts";
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

/** Starts a tool server on two streams, as that of a sandbox has. */
async function startServer(): Promise<StartedServer> {
  const jobs = createJobs(createEngine({ tools: executorTools("host"), retry: { attempts: 1 } }));
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = createToolClient((line) => void input.write(line));
  output.setEncoding("utf8").on("data", (piece: string) => void client.receive(piece));
  void serveLines(jobs, input, output);
  const ended = Promise.withResolvers<string>();
  return {
    client,
    ended: ended.promise,
    stop: () => jobs.drain(0).then(() => ended.resolve("stopped")),
  };
}

testExecutor(async () => createSandboxExecutor({ start: startServer, accepts: () => true }), {
  test: register,
  name: "in a sandbox",
});
