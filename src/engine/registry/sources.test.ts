import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { engineOf, names, say, setSource, slowSource } from "../../../test/support/engines/sources.ts";
import type { EngineEvent } from "../../core/events.ts";
import type { ToolSource } from "../../core/source.ts";
import { createEngine } from "../engine.ts";

test("a source loads in the background, and its state shows the progress", async (t) => {
  const engine = engineOf(t);
  assert.equal(engine.sources.state(), "not_started");
  const source = slowSource();
  engine.sources.add(source);
  assert.equal(engine.sources.state("slow"), "in_progress");
  assert.deepEqual(names(engine), []);
  source.end([say("a")]);
  await engine.sources.settled();
  assert.equal(engine.sources.state(), "complete");
  assert.deepEqual(names(engine), ["a"]);
  assert.throws(() => engine.sources.add(source), /already a source "slow"/);
  assert.throws(() => engine.sources.state("slown"), /no source "slown"/);
  await assert.rejects(engine.sources.refresh("slown"), /no source "slown"/);
});

test("a source that returns no problems has none", async (t) => {
  const engine = engineOf(t);
  const load = () => Promise.resolve({ tools: [say("a")] });
  engine.sources.add({ name: "plain", load } as unknown as ToolSource);
  await engine.sources.settled();
  assert.deepEqual([engine.sources.state("plain"), engine.sources.problems()], ["complete", []]);
});

test("a source that returns no list of tools fails with what to return", async (t) => {
  for (const loaded of [undefined, {}, [say("a")]]) {
    const engine = engineOf(t);
    engine.sources.add({ name: "plain", load: () => Promise.resolve(loaded) } as unknown as ToolSource);
    await engine.sources.settled();
    const [problem] = engine.sources.problems();
    assert.match(problem?.message ?? "", /load\(\) returned no list of tools/);
    assert.equal(problem?.hint, "return { tools: [] }");
  }
});

test("a call of a name that is not known yet waits for the sources, one of a known name does not", async (t) => {
  const engine = engineOf(t, { tools: [say("known")] });
  const source = slowSource();
  engine.sources.add(source);
  assert.equal(textOf(await engine.run(call("known"))), "known");
  const waiting = engine.run(call("late"));
  source.end([say("late")]);
  assert.equal(textOf(await waiting), "late");
  assert.equal(codeOf(await engine.run(call("never"))), "TOOL_NOT_FOUND");
});

test("a waiting call continues as soon as its tool is loaded, while other sources still load", async (t) => {
  const engine = engineOf(t);
  const [slow, fast] = [slowSource("slow"), slowSource("fast")];
  engine.sources.add(slow);
  engine.sources.add(fast);
  const waiting = engine.run(call("b"));
  fast.end([say("b")]);
  assert.equal(textOf(await waiting), "b");
  assert.equal(engine.sources.state(), "in_progress");
});

test("a waiting call can be cancelled, and closing the engine cancels it", async (t) => {
  const engine = engineOf(t);
  engine.sources.add(slowSource());
  const cancel = new AbortController();
  const first = engine.run(call("late"), { signal: cancel.signal });
  const second = engine.run(call("late"));
  cancel.abort();
  assert.equal(codeOf(await first), "CANCELLED");
  await engine.close();
  assert.equal(codeOf(await second), "CANCELLED");
});

test("an unsafe tool from a source is still run alone by runAll", async (t) => {
  const engine = engineOf(t);
  let running = 0;
  let most = 0;
  const alone = say("alone", "", {
    async run() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return "done";
    },
  });
  const source = slowSource();
  engine.sources.add(source);
  const answers = engine.runAll([call("alone"), call("alone"), call("alone")]);
  source.end([alone]);
  assert.deepEqual((await answers).map(textOf), ["done", "done", "done"]);
  assert.equal(most, 1);
});

test("a lazy source loads when a name is unknown, not before", async (t) => {
  const engine = engineOf(t, { tools: [say("known")] });
  const source = slowSource();
  engine.sources.add(source, { isLazy: true });
  await engine.run(call("known"));
  assert.deepEqual([source.loads(), engine.sources.state()], [0, "not_started"]);
  const waiting = engine.run(call("late"));
  assert.equal(source.loads(), 1);
  source.end([say("late")]);
  assert.equal(codeOf(await waiting), "ok");
});

test("a call in flight finishes on the tool it is bound to, even if that was replaced or removed", async (t) => {
  const engine = engineOf(t);
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  const old = say("tool", "", {
    run() {
      begun.resolve();
      return finish.promise;
    },
  });
  const source = setSource("set", [old]);
  engine.sources.add(source);
  const running = engine.run(call("tool"));
  await begun.promise;
  source.set([]);
  await engine.sources.refresh();
  assert.equal(codeOf(await engine.run(call("tool"))), "TOOL_NOT_FOUND");
  finish.resolve("the old one");
  assert.equal(textOf(await running), "the old one");
});

test("a load that fails as a whole reports the error and keeps the tools; the next successful one clears it", async (t) => {
  const engine = engineOf(t);
  const source = slowSource();
  engine.sources.add(source);
  source.end([say("a")]);
  await engine.sources.settled();
  const failing = engine.sources.refresh();
  assert.equal(engine.sources.state(), "in_progress");
  source.end(new Error("the disk is gone"));
  const { state, failures } = await failing;
  assert.equal(state, "failed");
  assert.deepEqual(failures, [
    { source: "slow", error: { code: "TOOL_FAILED", message: "the disk is gone" } },
  ]);
  assert.equal(engine.sources.state(), "failed");
  assert.equal(textOf(await engine.run(call("a"))), "a");
  assert.deepEqual(engine.sources.problems(), [
    { source: "slow", subject: "slow", reason: "failed", message: "the disk is gone" },
  ]);
  const reloading = engine.sources.refresh();
  source.end([say("b")]);
  assert.equal((await reloading).state, "complete");
  assert.deepEqual(
    [names(engine), engine.sources.problems(), engine.sources.state()],
    [["b"], [], "complete"],
  );
});

test("one source that fails does not affect the others", async (t) => {
  const engine = engineOf(t);
  const throwing: ToolSource = {
    name: "throwing",
    load() {
      throw new TypeError("at once");
    },
    watch() {
      throw new Error("cannot be watched");
    },
  };
  const nonsense = { name: "nonsense", load: async () => ({}) } as unknown as ToolSource;
  for (const source of [throwing, nonsense, setSource("good", [say("good")])]) engine.sources.add(source);
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["good"]);
  assert.deepEqual(
    ["throwing", "nonsense", "good"].map((name) => engine.sources.state(name)),
    ["failed", "failed", "complete"],
  );
});

test("refreshes requested during a load share one load, which starts after them", async (t) => {
  const engine = engineOf(t);
  const source = slowSource();
  engine.sources.add(source);
  const asked = [engine.sources.refresh(), engine.sources.refresh(), engine.sources.refresh()];
  source.changed();
  assert.equal(source.loads(), 1);
  source.end([say("first")]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(source.loads(), 2);
  source.end([say("second")]);
  for (const outcome of await Promise.all(asked)) assert.deepEqual(outcome.added, ["second"]);
  assert.deepEqual([names(engine), source.loads()], [["second"], 2]);
});

test("a source that reports a change is reloaded, unless it is not watched", async (t) => {
  const engine = engineOf(t);
  const [watched, unwatched] = [slowSource("watched"), slowSource("unwatched")];
  engine.sources.add(watched);
  engine.sources.add(unwatched, { isWatched: false });
  for (const source of [watched, unwatched]) source.end([]);
  await engine.sources.settled();
  assert.deepEqual([watched.isWatched(), unwatched.isWatched()], [true, false]);
  watched.changed();
  watched.end([say("a")]);
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["a"]);
});

test("source.changed reports each state with its numbers of tools and problems", async (t) => {
  const engine = engineOf(t);
  const reported: EngineEvent[] = [];
  engine.on((event) => reported.push(event), ["source.changed"]);
  engine.sources.add(setSource("set", [say("a"), say("a")]));
  await engine.sources.settled();
  assert.equal(reported.length, 2);
  assert.partialDeepStrictEqual(reported, [
    { type: "source.changed", source: "set", state: "in_progress", tools: 0, problems: 0 },
    { type: "source.changed", source: "set", state: "complete", tools: 1, problems: 1 },
  ]);
});

test("closing the engine ends loads, watches and sources, and no later refresh loads", async () => {
  const engine = createEngine();
  const source = slowSource();
  engine.sources.add(source);
  await engine.close();
  assert.deepEqual([source.isClosed(), source.isWatched()], [true, false]);
  assert.equal((await engine.sources.refresh()).state, "failed");
  assert.equal(source.loads(), 1);
});

test("a name waits only for sources that may provide it, until one does", async (t) => {
  const engine = engineOf(t);
  const hanging = { ...slowSource("mcp:far"), mayProvide: (name: string) => name.startsWith("far__") };
  const fast = slowSource("fast");
  engine.sources.add(hanging);
  engine.sources.add(fast);
  assert.deepEqual(engine.sources.loading(), ["mcp:far", "fast"]);
  const [known, unknown] = [engine.sources.settled("a"), engine.run(call("b"))];
  fast.end([say("a")]);
  await known;
  assert.notEqual(engine.get("a"), undefined);
  assert.equal(codeOf(await unknown), "TOOL_NOT_FOUND");
  assert.deepEqual(engine.sources.loading(), ["mcp:far"]);
  const late = engine.run(call("far__tool"));
  hanging.end([say("far__tool")]);
  assert.equal(textOf(await late), "far__tool");
});

test("a call of a tool whose source could not be loaded is told why, not that a name is wrong", async (t) => {
  const engine = engineOf(t, { tools: [say("far_tool")] });
  const problem = {
    source: "mcp:far",
    subject: "far",
    reason: "unreachable",
    message: "cannot start far: no such program",
  } as const;
  engine.sources.add({
    name: "mcp:far",
    mayProvide: (name) => name.startsWith("far__"),
    load: () => Promise.resolve({ tools: [], problems: [problem] }),
  });
  const missing = await engine.run(call("far__tool"));
  assert.equal(codeOf(missing), "TOOL_NOT_FOUND");
  assert.match(textOf(missing), /"far__tool" is not there: far: cannot start far: no such program/);
  assert.doesNotMatch(textOf(missing), /did you mean/);
  assert.match(textOf(await engine.run(call("near__tool"))), /no tool is named "near__tool"/);
});
