import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { asCli, asCurl, asJson, withoutDefaults } from "./copies.ts";

/** Returns the arguments that a shell makes of a command. */
function argumentsOf(command: string): readonly string[] {
  const text = execFileSync("sh", ["-c", `set -f; show() { printf '%s\\0' "$@"; }; show ${command}`], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], TOOLWRIGHT_TOKEN: "secret token" },
  });
  return text.split("\0").slice(0, -1);
}

const HARD = `a'b"c $HOME \`id\` \\ ! * ; & | <>\n\té`;

test("a plain input is copied as key=value, and a shell reads each value unchanged", () => {
  assert.equal(
    asCli("read_file", { path: "src/a.ts", limit: 5, all: true }),
    "toolwright call read_file path=src/a.ts limit=5 all=true",
  );
  assert.deepEqual(argumentsOf(asCli("shell", { command: HARD })), [
    "toolwright",
    "call",
    "shell",
    `command=${HARD}`,
  ]);
});

test("an input with a list or an object is copied as JSON", () => {
  const input = { paths: ["a'b", HARD], none: null };
  const [, , name, flag, json = ""] = argumentsOf(asCli("odd name", input));
  assert.deepEqual([name, flag, JSON.parse(json)], ["odd name", "--args", input]);
});

test("a tool whose name is not a plain word is quoted", () => {
  assert.deepEqual(argumentsOf(asCli("a; rm -rf ~", {})), ["toolwright", "call", "a; rm -rf ~"]);
});

test("a copied request posts the call to the server, and names the token without its value", () => {
  const input = { command: HARD };
  const command = asCurl("shell", input, "http://127.0.0.1:7331");
  assert.match(command, /\$TOOLWRIGHT_TOKEN/);
  const [curl, url, , token, , type, , body = ""] = argumentsOf(command);
  assert.deepEqual([curl, url], ["curl", "http://127.0.0.1:7331/api/calls"]);
  assert.deepEqual([token, type], ["authorization: Bearer secret token", "content-type: application/json"]);
  assert.deepEqual(JSON.parse(body), { name: "shell", input });
});

test("a call is copied as JSON", () => {
  assert.deepEqual(JSON.parse(asJson("a", { b: [1] })), { name: "a", input: { b: [1] } });
});

test("values that the form filled in are left out, required ones are not", () => {
  const schema = {
    properties: { path: {}, limit: { default: 100 }, tags: { default: ["a"] }, list: {}, note: {} },
    required: ["path", "list"],
  };
  const filled = { path: "", limit: 100, tags: ["a"], list: [], note: {}, more: 1, gone: undefined };
  assert.deepEqual(withoutDefaults(filled as never, schema), { path: "", list: [], more: 1 });
  assert.deepEqual(withoutDefaults({ limit: 5, tags: [], note: null }, schema), { limit: 5 });
  assert.deepEqual(withoutDefaults({ flag: false, text: "" }, {}), { flag: false, text: "" });
});

test("the input that a form means has the constants that it does not ask for, at every depth", () => {
  const kind = (name: string) => ({
    type: "object",
    properties: { kind: { const: name }, [name]: { type: "string" }, note: { type: "string" } },
    required: ["kind", name],
  });
  const target = { anyOf: [kind("path"), kind("url"), { type: "null" }] };
  const schema = { type: "object", properties: { target, all: { type: "array", items: target } } };
  assert.deepEqual(withoutDefaults({ target: null }, schema), {});
  assert.deepEqual(withoutDefaults({ target: { url: "u", note: null }, all: [{ path: "p" }] }, schema), {
    target: { kind: "url", url: "u" },
    all: [{ kind: "path", path: "p" }],
  });
});
