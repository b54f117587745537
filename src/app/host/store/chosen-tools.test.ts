import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { createEngine } from "../../../engine/engine.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { createChosenTools, type ChosenTools } from "./chosen-tools.ts";

const toolOf = (name: string, group: string) =>
  defineTool({ name, description: name, group, run: () => name });

function open(): Engine {
  const engine = createEngine({ tools: [toolOf("a", "one"), toolOf("b", "two"), toolOf("c", "two")] });
  engine.groups.create("fixed", { active: true, locked: true });
  engine.add(toolOf("d", "fixed"));
  return engine;
}

async function restore(chosen: ChosenTools, engine: Engine): Promise<void> {
  const choice = await chosen.read();
  if (choice !== undefined) chosen.apply(choice, engine);
}

const activeIn = (engine: Engine, session: string): string =>
  engine
    .list({ session })
    .map(({ name }) => name)
    .join("");

test("chosen tools are those of the session in a later process, also of groups that are created later", async () => {
  const collections = createMemoryCollections();
  const [first, later] = [open(), open()];
  const { groups } = first.session("s");
  groups.deactivate(["one", "two"]);
  groups.allowOnly(["c"]);
  const chosen = createChosenTools(collections, "s");
  await chosen.store(first);
  await restore(chosen, later);
  assert.deepEqual([activeIn(later, "s"), activeIn(later, "t")], ["cd", "abcd"]);
  later.add(toolOf("e", "new"));
  assert.deepEqual([activeIn(later, "s"), activeIn(later, "t")], ["cd", "abcde"]);
});

test("a choice ends after twelve hours, when it is forgotten, or if it cannot be read", async () => {
  const collections = createMemoryCollections();
  let now = 0;
  const chosen = createChosenTools(collections, "s", () => now);
  const restored = async (): Promise<string> => {
    const engine = open();
    await restore(chosen, engine);
    return activeIn(engine, "s");
  };
  const engine = open();
  engine.session("s").groups.deactivate("one");
  await chosen.store(engine);
  now = 12 * 3_600_000 - 1;
  assert.equal(await restored(), "bcd");
  now += 1;
  assert.equal(await restored(), "abcd");
  now = 0;
  assert.equal(await chosen.forget(), true);
  assert.equal(await restored(), "abcd");
  await collections.open("chosen-tools").set("s", { groups: 1 });
  assert.equal(await restored(), "abcd");
});
