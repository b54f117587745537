import assert from "node:assert/strict";
import { test } from "node:test";
import { call, eventsOf, textOf } from "../../../test/support/engines/engine.ts";
import {
  engineOf,
  names,
  reasons,
  say,
  setSource,
  slowSource,
} from "../../../test/support/engines/sources.ts";
import type { Tool } from "../../core/tool.ts";
import { object, string } from "../../schema/define/schema.ts";

test("a refresh adds what is new, removes what is gone, replaces what has changed and keeps the rest", async (t) => {
  const engine = engineOf(t);
  const kept = say("kept");
  const source = setSource("set", [kept, say("gone"), say("changed", "old"), say("recoded", "old")]);
  engine.sources.add(source);
  await engine.sources.settled();
  const events = eventsOf(engine);
  source.set([
    kept,
    say("changed", "new", { description: "Says something else." }),
    say("recoded", "new"),
    say("new"),
  ]);
  const outcome = await engine.sources.refresh("set");
  assert.deepEqual(outcome, {
    state: "complete",
    added: ["new"],
    changed: ["changed"],
    removed: ["gone"],
    failures: [],
  });
  assert.deepEqual([...names(engine)].sort(), ["changed", "kept", "new", "recoded"]);
  assert.equal(textOf(await engine.run(call("changed"))), "new");
  assert.equal(textOf(await engine.run(call("recoded"))), "new", "other code behind the same spec runs too");
  const reported = events.flatMap((event) =>
    event.type === "tool.added" || event.type === "tool.removed" ? [`${event.type} ${event.name}`] : [],
  );
  assert.deepEqual(reported, ["tool.removed gone", "tool.added changed", "tool.added new"]);
  assert.equal(engine.get("kept"), kept);
});

test("a name that another tool has is a problem of the later one, never a replacement", async (t) => {
  const builtIn = say("taken", "built in", { source: "built-in", aliases: ["other"] });
  const engine = engineOf(t, { tools: [builtIn] });
  const tools = [say("taken"), say("other"), say("aliased", "", { aliases: ["taken"] }), say("free")];
  engine.sources.add(
    setSource(
      "set",
      tools.map((tool) => ({ ...tool, source: "set:1" })),
    ),
  );
  await engine.sources.settled();
  assert.equal(textOf(await engine.run(call("taken"))), "built in");
  assert.deepEqual(names(engine), ["taken", "free"]);
  assert.deepEqual(reasons(engine.sources.problems()), [
    "set taken name_taken",
    "set other name_taken",
    "set aliased name_taken",
  ]);
  const [first] = engine.sources.problems();
  assert.equal(first?.message, 'set:1: the name "taken" is taken by "taken" of built-in');
});

test("a name that is there twice in one source belongs to the first", async (t) => {
  const engine = engineOf(t);
  const source = setSource("set", [say("same", "first"), say("same", "second")]);
  engine.sources.add(source);
  for (const _again of [1, 2]) {
    await engine.sources.refresh();
    assert.equal(textOf(await engine.run(call("same"))), "first");
    assert.deepEqual(reasons(engine.sources.problems()), ["set same name_taken"]);
  }
});

test("of two sources that load at once the one that was added first has the name, even if the other loads faster", async (t) => {
  const engine = engineOf(t);
  const [first, second] = [slowSource("first"), slowSource("second")];
  engine.sources.add(first);
  engine.sources.add(second);
  second.end([say("name", "second")]);
  assert.equal(textOf(await engine.run(call("name"))), "second");
  first.end([say("name", "first")]);
  await engine.sources.settled();
  assert.equal(textOf(await engine.run(call("name"))), "first");
  assert.deepEqual(reasons(engine.sources.problems()), ["second name name_taken"]);
});

test("tools are in the order of their sources, whichever loads faster and whatever changes", async (t) => {
  const engine = engineOf(t, { tools: [say("built_in")] });
  const [first, second] = [slowSource("first"), setSource("second", [say("c"), say("d")])];
  engine.sources.add(first);
  engine.sources.add(second);
  await engine.sources.refresh("second");
  first.end([say("a"), say("b")]);
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["built_in", "a", "b", "c", "d"]);
  const changing = engine.sources.refresh("first");
  first.end([say("a", "", { description: "Changed." }), say("aa"), say("b")]);
  await changing;
  assert.deepEqual(names(engine), ["built_in", "a", "aa", "b", "c", "d"]);
});

test("a later source cannot take a name, and a name that becomes free goes to the source that wants it", async (t) => {
  const engine = engineOf(t);
  const [first, second] = [setSource("first", []), setSource("second", [say("name", "second")])];
  engine.sources.add(first);
  engine.sources.add(second);
  await engine.sources.settled();
  first.set([say("name", "first")]);
  await engine.sources.refresh("first");
  assert.equal(textOf(await engine.run(call("name"))), "second");
  assert.deepEqual(reasons(engine.sources.problems()), ["first name name_taken"]);
  second.set([]);
  await engine.sources.refresh("second");
  assert.equal(textOf(await engine.run(call("name"))), "first");
  assert.deepEqual(engine.sources.problems(), []);
});

test("a tool that the host program put in the place of a source's tool stays", async (t) => {
  const engine = engineOf(t);
  const source = setSource("set", [say("name", "source")]);
  engine.sources.add(source);
  await engine.sources.settled();
  engine.add(say("name", "host"), { replace: true });
  await engine.sources.refresh();
  assert.deepEqual(reasons(engine.sources.problems()), ["set name name_taken"]);
  source.set([]);
  await engine.sources.refresh();
  assert.equal(textOf(await engine.run(call("name"))), "host");
});

test("a schema is compiled when its source loads, and not again by a call", async (t) => {
  let reads = 0;
  const counted = {
    get minLength() {
      reads += 1;
      return 1;
    },
  };
  const input = { type: "object", properties: { text: counted } };
  const engine = engineOf(t);
  engine.sources.add(setSource("set", [say("tool", "x", { input, output: counted })]));
  await engine.sources.settled();
  const readsAtLoad = reads;
  assert.ok(readsAtLoad > 0);
  assert.equal(textOf(await engine.run(call("tool", { text: "y" }))), "x");
  assert.equal(reads, readsAtLoad);
});

test("a tool whose name or schema cannot be used is a problem and does not affect the others", async (t) => {
  const engine = engineOf(t);
  const bad = { type: "object", properties: { a: { type: "nonsense" } } };
  const source = setSource("set", [
    say("good"),
    { ...say("spaced"), name: "bad name" },
    say("bad_input", "", { input: bad }),
    say("bad_output", "", { output: { pattern: "(" } }),
  ]);
  engine.sources.add(source);
  await engine.sources.settled();
  assert.deepEqual(names(engine), ["good"]);
  assert.deepEqual(reasons(engine.sources.problems()), [
    "set bad name bad_name",
    "set bad_input bad_schema",
    "set bad_output bad_schema",
  ]);
});

test("a tool that becomes unusable is removed", async (t) => {
  const engine = engineOf(t);
  const source = setSource("set", [say("tool")]);
  engine.sources.add(source);
  await engine.sources.settled();
  source.set([say("tool", "", { input: { type: "nonsense" } })]);
  await engine.sources.refresh();
  assert.deepEqual(names(engine), []);
  assert.deepEqual(reasons(engine.sources.problems()), ["set tool bad_schema"]);
});

test("presets hold for a source's tools, are hidden and masked; one for an unknown parameter is a problem", async (t) => {
  const engine = engineOf(t);
  const input = object({ key: string(), text: string() });
  const run: Tool["run"] = ({ key, text }) => JSON.stringify([key, text]);
  const tools = ["a", "b"].map((name) => say(name, "", { input, run }));
  engine.sources.add(setSource("set", tools), {
    presets: { a: { key: "hunter2hunter2" }, b: { kee: "x" } },
  });
  const answer = textOf(await engine.run(call("a", { text: "hi" })));
  assert.match(answer, /,"hi"\]$/);
  assert.doesNotMatch(answer, /hunter2/);
  assert.deepEqual(Object.keys(engine.list()[0]?.input["properties"] ?? {}), ["text"]);
  assert.deepEqual(reasons(engine.sources.problems()), ["set b failed"]);
});
