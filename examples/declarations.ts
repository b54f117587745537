// What a tool declares about a call before it runs: checks, facts about what it touches, risk and a summary.
import assert from "node:assert/strict";
import { createEngine, defineTool, integer, object, string } from "toolwright";

const moved: string[] = [];
const move = defineTool({
  name: "move_stock",
  description: "Moves stock between folders of a warehouse.",
  input: object({ from: string(), to: string(), count: integer("How many", { min: 1 }) }),
  // Beyond the schema, before policy sees the call.
  check: ({ from, to }) =>
    from === to ? [{ kind: "value", path: "/to", expected: `another place than ${from}`, got: to }] : [],
  // Policy judges these; the tool uses them and resolves nothing again.
  facts: ({ from, to }) => [
    { kind: "path", path: from, access: "read" },
    { kind: "path", path: to, access: "write" },
  ],
  // The risk of a call is never above that of the tool.
  risk: "high",
  riskOf: ({ count }) => (count > 100 ? "high" : "low"),
  // For events and spans.
  attributes: ({ count }) => ({ count }),
  run(_input, { facts }) {
    const paths = facts.flatMap((fact) => (fact.kind === "path" ? [fact.path] : []));
    moved.push(paths.join(" → "));
    return "moved";
  },
});
const engine = createEngine({ tools: [move], workspace: ["/warehouse"] });
const attributes: unknown[] = [];
engine.on((event) => event.type === "call.started" && attributes.push(event.attributes));
const codeOf = async (input: object) => {
  const result = await engine.run({ id: "1", name: "move_stock", input });
  console.log(result.content);
  return result.ok ? "ok" : result.error.code;
};

assert.equal(await codeOf({ from: "/warehouse/a", to: "/warehouse/b", count: 5 }), "ok");
assert.equal(await codeOf({ from: "/warehouse/a", to: "/warehouse/a", count: 5 }), "INVALID_INPUT");
// A path outside the workspace is denied in every mode; high risk needs approval, and there is no approver.
assert.equal(await codeOf({ from: "/warehouse/a", to: "/home/me", count: 5 }), "DENIED");
assert.equal(await codeOf({ from: "/warehouse/a", to: "/warehouse/b", count: 500 }), "DENIED");
assert.deepEqual(moved, ["/warehouse/a → /warehouse/b"]);
assert.deepEqual(attributes, [{ count: 5 }]);
await engine.close();
