import assert from "node:assert/strict";
import { test } from "node:test";
import { engineOf, say } from "../../../../test/support/engines/sources.ts";
import { groupCommand } from "./group.ts";

test("/group switches a group of the session alone, and says how it is", async (t) => {
  const engine = engineOf(t);
  engine.groups.create("admin", { description: "Dangerous\nthings.", active: false });
  engine.add(say("wipe"), { group: "admin" });
  let shown = "";
  const world = { engine, session: "mine", print: (text: string) => void (shown += text) };
  await groupCommand.run("", world);
  await groupCommand.run("admin on", world);
  assert.equal(shown, "admin  off  Dangerous things.\nadmin is on\n");
  assert.deepEqual(
    engine.list({ session: "mine" }).map(({ name }) => name),
    ["wipe"],
  );
  assert.deepEqual(engine.list(), []);
});

test("/group completes names, then the two ways", async (t) => {
  const engine = engineOf(t);
  engine.groups.create("admin");
  assert.deepEqual(await groupCommand.complete?.("ad", { engine }), [
    { value: "admin", description: "", continues: true },
  ]);
  assert.deepEqual(await groupCommand.complete?.("admin o", { engine }), ["on", "off"]);
});

for (const args of ["admin", "admin maybe", "admin on now"]) {
  test(`/group ${args} says how it is used`, async (t) => {
    const world = { engine: engineOf(t), print: () => undefined };
    await assert.rejects(groupCommand.run(args, world), /expected on or off: \/group NAME on\|off/);
  });
}
