// What a child may do, and how it ends: never more than its parent, never longer.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Outcome } from "../../src/agent/runtime/outcome.ts";
import type { Engine } from "../../src/engine/types/engine.ts";
import { childEnvironment } from "../../src/system/process/environment.ts";
import { aboutTools } from "../../src/tools/about/family.ts";
import { fileTools } from "../../src/tools/files/family.ts";
import { runningTools } from "../../src/tools/running/family.ts";
import { codeOf } from "../support/engines/engine.ts";
import { isRunning } from "../support/programs/is-running.ts";
import {
  calls,
  gate,
  receivedTexts,
  lastAnswer,
  openTeam,
  SILENT,
  type Script,
  type TeamPlaceOptions,
} from "../support/agents/team.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function openWithFiles(t: TestContext, scripts: Record<string, Script>, options: TeamPlaceOptions = {}) {
  const folder = temporaryFolder(t);
  const environment = { ...childEnvironment(process.env), HOME: folder };
  const tools = [
    ...fileTools({ root: folder }),
    ...runningTools({ root: folder, environment }),
    ...aboutTools(),
  ];
  return openTeam(t, scripts, { folder, engine: { tools, workspace: [folder] }, ...options });
}

const textOf = (outcome: Outcome): string => (outcome.kind === "answered" ? outcome.text : outcome.kind);

const WRITE = calls("write_file", { path: "canary", content: "tweet" });
/** Tries once and returns the result. */
const TRIES: Script = (request, index) => (index === 0 ? WRITE : { text: lastAnswer(request) });
/** Has a child do it, and says what it said. */
const asks =
  (input: object): Script =>
  (request, index) =>
    index === 0 ? calls("subagent", { task: "Write it.", ...input }) : { text: lastAnswer(request) };

test("a child writes a file where its parent may", async (t) => {
  const place = await openWithFiles(t, { lead: asks({}), subagent: TRIES });
  await place.root.send("Go.");
  assert.ok(existsSync(join(place.folder, "canary")));
});

test("a child of an agent in plan mode writes nothing, and neither does a child of its own", async (t) => {
  const place = await openWithFiles(
    t,
    { lead: asks({}), subagent: (request, index, member) => nested(request, index, member) },
    { root: { ceilings: [{ mode: "plan" }] } },
  );
  const nested: Script = (request, index, member) => {
    if (member.session.split(".").length > 2) return TRIES(request, index, member);
    return index === 0 ? calls("subagent", { task: "You do it." }) : { text: lastAnswer(request) };
  };
  const answered = answersOf(place.engine);
  await place.root.send("Go.");
  assert.deepEqual(answered, ["write_file DENIED", "subagent ok", "subagent ok"]);
  assert.ok(!existsSync(join(place.folder, "canary")));
});

test("a child limited to certain tools uses no others and cannot pass on tools that it lacks", async (t) => {
  const place = await openWithFiles(t, {
    lead: asks({ tools: ["ls", "subagent"] }),
    subagent(request, index, member) {
      if (member.session.split(".").length > 2) return TRIES(request, index, member);
      if (index === 0) return calls("ls");
      if (index === 1) return WRITE;
      return index === 2 ? calls("subagent", { task: "You do it.", tools: ["write_file"] }) : { text: "no" };
    },
  });
  const answered = answersOf(place.engine);
  await place.root.send("Go.");
  assert.deepEqual(answered, [
    "ls ok",
    "write_file DENIED",
    "write_file DENIED",
    "subagent ok",
    "subagent ok",
  ]);
  assert.deepEqual(place.opened[2]?.ceilings, [{ tools: ["ls", "subagent"] }, { tools: ["write_file"] }]);
  assert.ok(!existsSync(join(place.folder, "canary")));
});

test("a child has no group that its parent lacks, even if it activates it", async (t) => {
  const place = await openWithFiles(t, {
    lead: asks({}),
    subagent(request, index) {
      if (index === 0) return calls("activate_tools", { groups: ["files", "agents"] });
      return index === 1 ? WRITE : { text: lastAnswer(request) };
    },
  });
  place.engine.session("s").groups.deactivate("files");
  const answered = answersOf(place.engine);
  await place.root.send("Go.");
  assert.deepEqual(answered, ["activate_tools ok", "write_file TOOL_DISABLED", "subagent ok"]);
  assert.ok(!existsSync(join(place.folder, "canary")));
});

for (const way of ["the root", "the team", "a signal"] as const) {
  test(`cancelling through ${way} ends the children's processes before the outcome settles`, async (t) => {
    const pids: number[] = [];
    const started = gate();
    const place = await openWithFiles(t, {
      lead(_, index) {
        if (index === 0) return calls("create_agent", { name: "sleeper", task: "Sleep." });
        return index === 1
          ? calls("create_agent", { name: "sleeper", task: "Sleep too." })
          : calls("wait_for_message");
      },
      sleeper: () => calls("shell", { command: "echo $$; exec sleep 300", timeout_seconds: 600 }),
    });
    place.engine.on((event) => {
      if (
        event.type !== "call.progressed" ||
        typeof event.progress !== "object" ||
        !("stream" in event.progress)
      )
        return;
      pids.push(Number(event.progress.text));
      if (pids.length === 2) started.open();
    });
    const controller = new AbortController();
    const outcome = place.root.send("Go.", { signal: controller.signal });
    await started.opened;
    assert.deepEqual(pids.map(isRunning), [true, true]);
    if (way === "the root") assert.equal(place.root.cancel("enough"), true);
    else if (way === "the team") assert.equal(await place.team.cancel(undefined, "enough"), true);
    else controller.abort();
    assert.equal((await outcome).kind, "stopped");
    assert.deepEqual(pids.map(isRunning), [false, false]);
    assert.deepEqual([...place.sessions], ["s"]);
    assert.deepEqual(
      place.team.members().map(({ name, state }) => `${name} ${state}`),
      ["lead idle", "sleeper failed", "sleeper failed"],
    );
    assert.equal(await place.team.cancel(), false, "nothing is left to cancel");
  });
}

test("cancelling an idle root ends the agents that work below it and does not wake it", async (t) => {
  const asleep = gate();
  const place = await openTeam(t, {
    async lead(request, index) {
      if (index === 0) return calls("create_agent", { name: "worker", task: "Wait." });
      await asleep.opened;
      return { text: `${index}: ${receivedTexts(request.messages).join("|")}` };
    },
    worker(...given) {
      asleep.open();
      return SILENT(...given);
    },
  });
  assert.equal(textOf(await place.root.send("Go.")), "1: Go.");
  assert.equal(place.root.cancel("enough"), true);
  assert.equal((await place.team.settled())?.kind, "stopped");
  assert.deepEqual([...place.sessions], ["s"]);
  assert.match(
    textOf(await place.root.send("Well?")),
    /^2: Go\.\|Well\?\|\[crash from worker .*\]\nIt was stopped/,
  );
  assert.equal(place.root.cancel(), false);
});

test("cancelling one agent ends it and the agents below it; its parent is notified and continues", async (t) => {
  const asleep = gate();
  const place = await openWithFiles(t, {
    lead(request, index) {
      if (index === 0) return calls("create_agent", { name: "boss", task: "Have it done." });
      return index === 1 ? calls("wait_for_message") : { text: lastAnswer(request) };
    },
    boss: (_, index) =>
      index === 0 ? calls("create_agent", { name: "worker", task: "Wait." }) : calls("wait_for_message"),
    worker(request) {
      asleep.open();
      return new Promise((_, reject) =>
        request.signal.addEventListener("abort", () => reject(new Error("ended"))),
      );
    },
  });
  const outcome = place.root.send("Go.");
  await asleep.opened;
  const boss = place.team.members().find(({ name }) => name === "boss")?.id ?? "";
  assert.equal(await place.team.cancel(boss, "not needed any more"), true);
  assert.match(
    textOf(await outcome),
    /^\[crash from boss .*\]\nIt was stopped \(cancelled\): not needed any more/,
  );
  assert.deepEqual([...place.sessions], ["s"]);
});

test("a cancelled subagent call ends the child, and the parent can continue", async (t) => {
  const asleep = gate();
  const place = await openWithFiles(t, {
    lead: (request, index) =>
      index === 0 ? calls("subagent", { task: "Wait." }) : { text: `again: ${request.messages.length}` },
    subagent: () => {
      asleep.open();
      return calls("shell", { command: "sleep 300", timeout_seconds: 600 });
    },
  });
  const outcome = place.root.send("Go.");
  await asleep.opened;
  place.root.cancel();
  assert.equal((await outcome).kind, "stopped");
  assert.deepEqual([...place.sessions], ["s"]);
  assert.match(textOf(await place.root.send("Still there?")), /again/);
});

test("agents can be nested only to a limit, and the error says what to do", async (t) => {
  const deeper: Script = (request, index) =>
    index === 0 ? calls("subagent", { task: "Deeper." }) : { text: lastAnswer(request) };
  const place = await openTeam(t, { lead: deeper, subagent: deeper }, { limits: { depth: 2 } });
  assert.match(textOf(await place.root.send("Go.")), /Error: agents can be nested 2 deep[^]*do it yourself/);
  assert.equal(place.opened.length, 3);
  assert.deepEqual([...place.sessions], ["s"]);
});

test("at the limit of agents none is created while all of them work", async (t) => {
  const late = gate();
  const place = await openTeam(
    t,
    {
      lead: (request, index) =>
        index < 2
          ? calls("create_agent", { name: "slow", task: `Task ${index}.` })
          : { text: lastAnswer(request) },
      async slow() {
        await late.opened;
        return { text: "Done." };
      },
    },
    { limits: { members: 2 } },
  );
  const said = textOf(await place.root.send("Go."));
  late.open();
  assert.match(
    said,
    /^Error: the team has reached its limit of 2 agents, and all of them work\nwait_for_message waits/,
  );
  assert.equal(place.opened.length, 2);
});

test("an agent that has reported its result makes room for another", async (t) => {
  const place = await openTeam(
    t,
    {
      lead(request, index) {
        if (index === 1) return calls("wait_for_message");
        if (index === 3) return { text: lastAnswer(request) };
        return calls("create_agent", { name: `quick-${index}`, task: "Say it." });
      },
      "quick-0": () => ({ text: "Done." }),
      "quick-2": () => ({ text: "Done too." }),
    },
    { limits: { members: 2 }, wakesRoot: false },
  );
  assert.match(textOf(await place.root.send("Go.")), /works on it now/);
  await place.team.settled();
  assert.deepEqual(
    place.team.members().map(({ name, state }) => `${name} ${state}`),
    ["lead idle", "quick-0 done", "quick-2 idle"],
  );
  assert.equal(place.sessions.size, 2);
});

/** Name and code of each answer, as they come. */
function answersOf(engine: Engine): readonly string[] {
  const answered: string[] = [];
  engine.on((event) => {
    if (event.type === "call.answered") answered.push(`${event.result.name} ${codeOf(event.result)}`);
  });
  return answered;
}
