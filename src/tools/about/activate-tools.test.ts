import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../../engine/engine.ts";
import { aboutTools } from "./family.ts";

const S = { session: "s" };

function engineWithGroups() {
  const engine = createEngine({ mode: "yolo" });
  engine.groups.create("about", { locked: true });
  engine.groups.create("admin", { active: false, locked: true });
  engine.groups.create("web");
  engine.groups.create("mail", { active: false });
  const tool = (name: string, group?: string) =>
    defineTool({ name, description: `Does ${name}.`, run: () => "ran", ...(group && { group }) });
  engine.add([
    ...aboutTools(),
    tool("fetch_page", "web"),
    tool("send_mail", "mail"),
    tool("read_mail", "mail"),
    tool("drop_all", "admin"),
    tool("plain"),
  ]);
  return engine;
}

test("what is given is activated besides what is active, in this session and in no other", async () => {
  const engine = engineWithGroups();
  const result = await engine.run(call("activate_tools", { tools: ["send_mail"] }), S);
  assert.match(textOf(result), /web: fetch_page\nmail: send_mail, …\n[\s\S]*\[off: admin\]/);
  const codes = async (name: string, options = {}) => codeOf(await engine.run(call(name), options));
  assert.deepEqual([await codes("send_mail", S), await codes("fetch_page", S)], ["ok", "ok"]);
  assert.deepEqual(
    [await codes("read_mail", S), await codes("send_mail")],
    ["TOOL_DISABLED", "TOOL_DISABLED"],
  );
  await engine.run(call("activate_tools", { groups: ["mail"] }), S);
  assert.deepEqual([await codes("read_mail", S), await codes("fetch_page", S)], ["ok", "ok"]);
});

test("the error of an inactive tool has the call that activates it", async () => {
  const engine = engineWithGroups();
  const disabled = await engine.run(call("send_mail"), S);
  assert.match(textOf(disabled), /its group "mail" is off[\s\S]*activate_tools \{"tools":\["send_mail"\]\}/);
  await engine.run(call("activate_tools", { tools: ["send_mail"] }), S);
  assert.equal(codeOf(await engine.run(call("send_mail"), S)), "ok");
  assert.match(textOf(await engine.run(call("drop_all"), S)), /only the user can activate the group "admin"/);
});

test("with replace the groups and tools that are given are the final set of the session, and of no other", async () => {
  const engine = engineWithGroups();
  const result = await engine.run(call("activate_tools", { tools: ["send_mail"], replace: true }), S);
  assert.equal(codeOf(result), "ok");
  assert.match(textOf(result), /mail: send_mail, …\n[\s\S]*\[off: admin, web\]/);
  const codes = async (name: string, options = {}) => codeOf(await engine.run(call(name), options));
  assert.equal(await codes("send_mail", S), "ok");
  assert.equal(await codes("plain", S), "ok");
  assert.equal(await codes("read_mail", S), "TOOL_DISABLED");
  assert.equal(await codes("fetch_page", S), "TOOL_DISABLED");
  assert.equal(await codes("fetch_page"), "ok");
  assert.equal(await codes("send_mail"), "TOOL_DISABLED");
  await engine.run(call("activate_tools", { groups: ["mail"] }), S);
  assert.equal(await codes("read_mail", S), "ok");
  assert.equal(await codes("send_mail", S), "ok");
});

test("the model sees the chosen tools", async () => {
  const engine = engineWithGroups();
  const names = () => engine.list(S).map(({ name }) => name);
  assert.ok(!names().includes("send_mail"));
  await engine.run(call("activate_tools", { groups: ["mail"], replace: true }), S);
  assert.ok(names().includes("send_mail") && !names().includes("fetch_page"));
  assert.ok(names().includes("activate_tools"), "the way back stays");
});

const REFUSED = [
  { input: { groups: ["admin"] }, code: "DENIED" },
  { input: { tools: ["drop_all"] }, code: "DENIED" },
  { input: { groups: ["nope"] }, code: "INVALID_INPUT" },
  { input: { tools: ["nope"] }, code: "INVALID_INPUT" },
  { input: {}, code: "INVALID_INPUT" },
] as const;

for (const { input, code } of REFUSED) {
  test(`${JSON.stringify(input)} is ${code} and changes nothing`, async () => {
    const engine = engineWithGroups();
    const before = engine.list(S);
    const mixed = { ...input, ...("groups" in input ? { groups: ["mail", ...input.groups] } : {}) };
    assert.equal(codeOf(await engine.run(call("activate_tools", mixed), S)), code);
    assert.deepEqual(engine.list(S), before);
  });
}

test("a child session never has a tool that its parent lacks", async () => {
  const engine = engineWithGroups();
  engine.session("parent").groups.deactivate("web");
  engine.session("child", { parent: "parent" });
  const child = { session: "child" };
  await engine.run(call("activate_tools", { groups: ["web", "mail"], tools: ["send_mail"] }), child);
  assert.equal(codeOf(await engine.run(call("fetch_page"), child)), "TOOL_DISABLED");
  assert.equal(codeOf(await engine.run(call("send_mail"), child)), "TOOL_DISABLED");
  engine.session("parent").groups.activate(["web", "mail"]);
  assert.equal(codeOf(await engine.run(call("fetch_page"), child)), "ok");
  assert.equal(codeOf(await engine.run(call("send_mail"), child)), "ok");
});

test("search_tools finds inactive tools, marks them, and finds tools added later", async () => {
  const engine = engineWithGroups();
  const found = await engine.run(call("search_tools", { query: "send mail" }), S);
  assert.match(textOf(found), /^send_mail \[not active, group mail\]: Does send_mail\./);
  await engine.run(call("activate_tools", { groups: ["mail"] }), S);
  assert.match(textOf(await engine.run(call("search_tools", { query: "send mail" }), S)), /^send_mail: /);
  engine.add(defineTool({ name: "late", description: "Feeds the zebra.", run: () => "" }));
  assert.match(textOf(await engine.run(call("search_tools", { query: "zebra" }), S)), /^late: /);
  engine.remove("late");
  assert.equal(textOf(await engine.run(call("search_tools", { query: "zebra" }), S)), "[no tool matches]");
});

test("the tools about tools stay active in an engine whose groups nothing has locked", async () => {
  const engine = createEngine({ mode: "yolo", tools: aboutTools() });
  const mail = defineTool({ name: "mail", description: "", group: "mail", run: () => "ran" });
  engine.add(mail);
  assert.equal(codeOf(await engine.run(call("activate_tools", { groups: [], replace: true }), S)), "ok");
  assert.equal(codeOf(await engine.run(call("mail"), S)), "TOOL_DISABLED");
  assert.equal(codeOf(await engine.run(call("activate_tools", { groups: ["mail"] }), S)), "ok");
  assert.equal(codeOf(await engine.run(call("search_tools", { query: "mail" }), S)), "ok");
});
