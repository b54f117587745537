// A group switches its tools on or off, for the engine or for one session. Only active tools are listed and can be called.
import assert from "node:assert/strict";
import { createEngine, defineTool } from "toolwright";

const define = (name: string) =>
  defineTool({ name, description: `Does ${name}.`, risk: "low", run: () => `${name} done` });

const engine = createEngine({ tools: [define("help")] });
engine.groups.create("admin", { description: "Dangerous things", active: false });
engine.add([define("drop_table"), define("restart")], { group: "admin" });

const active = (session?: string) =>
  engine.list(session === undefined ? {} : { session }).map((spec) => spec.name);
console.log(active());
assert.deepEqual(active(), ["help"]);

const refused = await engine.run({ id: "1", name: "restart", input: {} });
assert.ok(!refused.ok);
console.log(refused.error);
assert.equal(refused.error.code, "TOOL_DISABLED");
assert.equal(refused.error.hint, 'activate the group "admin" first');

// A session uses the engine's groups until it sets its own.
engine.session("night-shift").groups.activate("admin");
assert.deepEqual(active("night-shift"), ["help", "drop_table", "restart"]);
assert.deepEqual(active("day-shift"), ["help"]);
const allowed = await engine.run({ id: "2", name: "restart", input: {} }, { session: "night-shift" });
assert.ok(allowed.ok);

engine.groups.activate(["admin"]);
assert.deepEqual(active("day-shift"), ["help", "drop_table", "restart"]);
engine.session("day-shift").groups.deactivate("admin");
assert.deepEqual(active("day-shift"), ["help"]);
console.log(engine.groups.list());
await engine.close();
