import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, textOf } from "../../../../test/support/engines/engine.ts";
import { engineOf, say } from "../../../../test/support/engines/sources.ts";
import type { ToolResult } from "../../../core/result.ts";
import { aboutTools } from "../../../tools/about/family.ts";
import { createBuiltInGroups } from "../../host/sources/built-in-groups.ts";
import { createApprovals } from "./approvals.ts";
import type { ClientSession } from "./client-session.ts";
import { createGateway } from "./gateway.ts";

const QUIET = { changed: () => undefined, log: () => undefined };

async function run(
  session: ClientSession,
  name: string,
  input: object = {},
): Promise<{ readonly result: ToolResult }> {
  return session.call({ name, input, controller: new AbortController() });
}

function namesOf(session: ClientSession): readonly unknown[] {
  return session.tools.list().map(({ name }) => name);
}

test("a client whose ceiling includes a few of many tools sees these, and finds no others", async (t) => {
  const many = Array.from({ length: 300 }, (_, index) => say(`server__tool_${index}`));
  const approvals = createApprovals();
  const engine = engineOf(t, { approver: approvals.approver, tools: many });
  const gateway = createGateway({ engine, approvals });
  t.after(() => gateway.close());
  createBuiltInGroups(engine.groups);
  engine.add(aboutTools());
  const few = gateway.open(
    [{ tools: ["server__tool_1", "server__tool_2*"] }, { tools: ["*_1", "*_2"] }],
    QUIET,
  );
  assert.deepEqual(namesOf(few), ["server__tool_1", "server__tool_2"]);
  assert.equal(codeOf((await run(few, "server__tool_1")).result), "ok");
  const half = gateway.open([{ tools: ["server__tool_1*", "server__tool_2*", "*_tools"] }], QUIET);
  assert.deepEqual(namesOf(half), ["search_tools", "activate_tools"]);
  const searched = await run(half, "search_tools", { query: "server tool", limit: 50 });
  assert.equal(codeOf(searched.result), "ok", textOf(searched.result));
  const found = textOf(searched.result).match(/server__tool_\d+/g) ?? [];
  assert.ok(found.length > 0);
  assert.deepEqual(
    found.filter((name) => !/tool_[12]/.test(name)),
    [],
    "none that it could not call",
  );
  const refused = await run(half, "activate_tools", { tools: ["server__tool_30"] });
  assert.equal(codeOf(refused.result), "INVALID_INPUT");
});

test("the description of a tool that declares others declares only those that the client may use", (t) => {
  const lists = say("lists", "", { describe: (tools) => tools.map(({ name }) => name).join(" ") });
  const approvals = createApprovals();
  const engine = engineOf(t, { approver: approvals.approver, tools: [lists, say("one"), say("two")] });
  const gateway = createGateway({ engine, approvals });
  t.after(() => gateway.close());
  const description = (session: ClientSession): unknown =>
    session.tools.list().find(({ name }) => name === "lists")?.["description"];
  assert.equal(description(gateway.open([], QUIET)), "lists one two");
  assert.equal(description(gateway.open([{ tools: ["lists", "two"] }], QUIET)), "lists two");
});
