import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { engineOf, say } from "../../../test/support/engines/sources.ts";
import type { Tool } from "../../core/tool.ts";
import { aboutTools } from "../../tools/about/family.ts";

const S = { session: "s" };
const ABOUT = aboutTools().map(({ name }) => name);

function toolsOf(source: string, count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => ({ ...say(`${source}_${index}`), source }));
}

/** An engine with a small and a large source, whose session sees so many tools. */
function limited(t: TestContext, tools: number, tokens = 1_000_000) {
  const engine = engineOf(t, { tools: [...aboutTools(), ...toolsOf("large", 30), ...toolsOf("small", 3)] });
  engine.session("s").limitTools({ tools, tokens });
  const names = (): readonly string[] => engine.list(S).map(({ name }) => name);
  return { engine, names, run: (name: string, input = {}) => engine.run(call(name, input), S) };
}

const SMALL = ["small_0", "small_1", "small_2"];

test("within the limit a session sees every tool", (t) => {
  assert.equal(limited(t, ABOUT.length + 33).names().length, ABOUT.length + 33);
});

for (const [what, tools, tokens] of [
  ["number of tools", 20, 1_000_000],
  ["tokens", 1000, 100],
] as const)
  test(`beyond the ${what} it sees the sources that fit, whole, and finds the others`, async (t) => {
    const { names, run, engine } = limited(t, tools, tokens);
    assert.deepEqual(names(), [...ABOUT, ...SMALL]);
    assert.equal(engine.list().length, ABOUT.length + 33, "other sessions see all");
    assert.match(textOf(await run("search_tools", { query: "large_7" })), /^large_7 \[not active\]/);
    const disabled = await run("large_7");
    assert.equal(codeOf(disabled), "TOOL_DISABLED");
    assert.match(textOf(disabled), /no room[^]*activate_tools \{"tools":\["large_7"\]\}/);
    assert.equal(codeOf(await run("activate_tools", { tools: ["large_7"] })), "ok");
    assert.deepEqual(names(), [...ABOUT, ...SMALL, "large_7"], "what is activated is the last");
    assert.equal(codeOf(await run("large_7")), "ok");
  });

test("tools that load later change nothing of what a session has seen", async (t) => {
  const { engine, names, run } = limited(t, 20);
  await run("activate_tools", { tools: ["large_3"] });
  const before = names();
  engine.add(toolsOf("fresh", 2));
  assert.deepEqual(names(), [...before, "fresh_0", "fresh_1"]);
  engine.add(toolsOf("more", 9));
  assert.deepEqual(names(), [...before, "fresh_0", "fresh_1"]);
});

test("a choice beyond the limit is refused whole, and says what to do", async (t) => {
  const { names, run } = limited(t, 10);
  const before = names();
  const tools = Array.from({ length: 7 }, (_, index) => `large_${index}`);
  const refused = await run("activate_tools", { tools });
  assert.equal(codeOf(refused), "INVALID_INPUT");
  assert.match(textOf(refused), /at most 10 tools[^]*replace: true/);
  assert.deepEqual(names(), before);
  assert.equal(codeOf(await run("activate_tools", { tools: tools.slice(0, 6), replace: true })), "ok");
  assert.ok(tools.slice(0, 6).every((name) => names().includes(name)) && names().length <= 10);
});

test("a session sees, counts and finds only what it may call", async (t) => {
  const { engine, names, run } = limited(t, 20);
  engine.session("s").limitTools({ tools: 9, tokens: 1e6, includes: (name) => !name.startsWith("large_1") });
  assert.doesNotMatch(textOf(await run("search_tools", { query: "large", limit: 50 })), /large_1/);
  assert.equal(codeOf(await run("activate_tools", { tools: ["large_1"] })), "INVALID_INPUT");
  engine.session("s").limitTools({ tools: 9, tokens: 1e6, includes: (name) => name !== "search_tools" });
  assert.ok(names().length > 30, "without search_tools nothing could be found");
});
