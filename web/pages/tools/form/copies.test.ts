import assert from "node:assert/strict";
import { test } from "node:test";
import { asCli, asCurl, asJson, withoutDefaults } from "./copies.ts";

const COMMANDS = [
  ["ls", {}, "toolwright call ls"],
  ["ls", { path: "src" }, "toolwright call ls path=src"],
  ["grep", { pattern: "a b", limit: 5 }, "toolwright call grep 'pattern=a b' limit=5"],
  ["shell", { command: "echo 'x'" }, `toolwright call shell 'command=echo '\\''x'\\'''`],
  ["edit", { edits: [{ old: "a" }] }, `toolwright call edit --args '{"edits":[{"old":"a"}]}'`],
] as const;

for (const [name, input, command] of COMMANDS)
  test(`${JSON.stringify(input)} of ${name} is copied as ${command}`, () => {
    assert.equal(asCli(name, input as never), command);
  });

test("a copied request has no token, and its body is one word of the shell", () => {
  const request = asCurl("shell", { command: "echo 'x'" }, "http://127.0.0.1:7420");
  assert.match(request, /^curl http:\/\/127\.0\.0\.1:7420\/api\/calls \\\n/);
  assert.match(request, /Bearer \$TOOLWRIGHT_TOKEN/);
  assert.ok(request.endsWith(`-d '{"name":"shell","input":{"command":"echo '\\''x'\\''"}}'`), request);
  assert.deepEqual(JSON.parse(asJson("ls", { path: "." })), { name: "ls", input: { path: "." } });
});

const SCHEMA = {
  type: "object",
  required: ["path"],
  properties: {
    path: { type: "string", default: "." },
    depth: { type: "integer", default: 1 },
    filter: { type: "object", properties: { name: { type: "string", default: "*" } } },
  },
};
const INPUTS = [
  [{ path: ".", depth: 1 }, { path: "." }],
  [
    { path: "src", depth: 2 },
    { path: "src", depth: 2 },
  ],
  [{ path: "src", filter: { name: "*" } }, { path: "src" }],
  [
    { path: "src", filter: { name: "a" } },
    { path: "src", filter: { name: "a" } },
  ],
  [{ path: "src", near: { center: [null, null], names: [] } }, { path: "src" }],
  [
    { path: "src", near: { center: [1, null] } },
    { path: "src", near: { center: [1, null] } },
  ],
] as const;

for (const [input, expected] of INPUTS)
  test(`${JSON.stringify(input)} of a form means ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(withoutDefaults(input as never, SCHEMA), expected);
  });
