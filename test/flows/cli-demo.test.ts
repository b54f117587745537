import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import type { AnswerOf } from "../../src/app/http/api.ts";
import { untilTrue } from "../support/running.ts";
import { createPlace, startCli } from "./support/cli.ts";

test("the demo has calls, sessions and approvals without a set-up, and leaves nothing behind", async (t) => {
  const place = createPlace(t);
  const { child, shown, finished } = startCli(place, ["demo", "--no-open"]);
  t.after(() => child.kill("SIGKILL"));
  await untilTrue(
    "the address is printed",
    () => /token=\S+\n/.test(shown.stdout) || child.exitCode !== null,
  );
  const address = new URL(shown.stdout.trim());
  const headers = { authorization: `Bearer ${address.searchParams.get("token")}` };
  const read = async <T>(path: string): Promise<T> =>
    (await (await fetch(new URL(path, address), { headers })).json()) as T;
  const { workspace } = await read<AnswerOf<"state">>("/api/state");
  await untilTrue("three sessions have ended, two agents among them", async () => {
    const { sessions } = await read<AnswerOf<"sessions">>("/api/sessions");
    return sessions.length === 5 && sessions.every(({ state }) => state === "done");
  });
  const { sessions } = await read<AnswerOf<"sessions">>("/api/sessions");
  const team = sessions.find(({ title }) => title.startsWith("Look at prices"));
  const { spans, cost } = await read<AnswerOf<"waterfall">>(`/api/sessions/${team?.id}/waterfall`);
  const kinds = Map.groupBy(spans, ({ kind }) => kind);
  assert.deepEqual([kinds.get("agent")?.length, kinds.get("turn")?.length], [3, 7]);
  assert.ok(cost > 0);
  const calls = new Set(
    spans.filter(({ name }) => name === "subagent" || name === "read_file").map(({ id }) => id),
  );
  assert.ok(
    spans
      .filter(({ kind }) => kind === "agent")
      .slice(1)
      .every(({ parentId }) => calls.has(parentId ?? "")),
    "an agent is below the call that started it",
  );
  const { approvals } = await read<AnswerOf<"approvals">>("/api/approvals");
  assert.deepEqual(approvals.map(({ request }) => request.tool).sort(), ["edit_file", "shell"]);
  const since = Date.now() - 25 * 3_600_000;
  const { total } = await read<AnswerOf<"counts">>(`/api/counts?since=${since}`);
  assert.ok(total.calls >= 300 && total.denied > 0 && total.failed > 0 && total.waitP95Ms !== null);
  if (spawnSync("nats-server", ["--version"]).error === undefined) {
    const { workers } = await read<AnswerOf<"fleet">>("/api/fleet");
    const { calls: commands } = await read<AnswerOf<"calls">>("/api/calls?name=shell&limit=2");
    assert.equal(workers.length, 2);
    assert.ok(
      commands.every(({ worker }) => workers.some(({ id }) => id === worker)),
      "workers ran them",
    );
  }
  child.kill("SIGINT");
  await finished;
  assert.equal(existsSync(workspace[0] ?? ""), false);
});
