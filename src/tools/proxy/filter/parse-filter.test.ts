import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestSummary } from "../traffic/summaries.ts";
import { parseFilter } from "./parse-filter.ts";

const REQUEST: RequestSummary = {
  id: "r7",
  at: 0,
  method: "POST",
  scheme: "https",
  host: "shop.example",
  port: 443,
  path: "/api/Orders.json",
  query: "user=1",
  status: 403,
  type: "application/json",
  sent: 10,
  received: 2000,
  ms: 15,
};

function matches(filter: string, request = REQUEST): boolean {
  const parsed = parseFilter(filter);
  assert(typeof parsed === "function", JSON.stringify(parsed));
  return parsed(request);
}

for (const [filter, expected] of [
  ['req.method.eq:"post"', true],
  ["req.method.eq:POST", true],
  ["req.method.ne:POST", false],
  ['req.path.cont:"orders"', true],
  ['req.path.ncont:"orders"', false],
  ['req.path.like:"/api/%.json"', true],
  ['req.path.like:"/api%orders"', false],
  ['req.path.nlike:"%.js"', true],
  ['req.ext.eq:"json"', true],
  ['req.url.eq:"https://shop.example/api/orders.json?user=1"', true],
  ["resp.code.gte:400 AND resp.code.lt:500", true],
  ["resp.code.gte:400 and not resp.code.eq:403", false],
  ['req.host.eq:"a" OR req.host.eq:"b" AND resp.code.eq:403', false],
  ['(req.host.eq:"a" OR req.host.eq:"shop.example") AND resp.code.eq:403', true],
  ["NOT NOT req.id.eq:7", true],
  ["resp.len.gt:1999 AND resp.roundtrip.lte:15 AND req.port.eq:443", true],
  ['"user=1"', true],
  ['"user=2" OR "say \\"hi\\""', false],
] as const) {
  test(`the filter ${filter} ${expected ? "matches" : "does not match"}`, () => {
    assert.equal(matches(filter), expected);
  });
}

for (const [filter, column, expected, got] of [
  ['req.foo.eq:"x"', 1, /^a field: req.method,/, '"req.foo"'],
  ['req.host.eq:"a" AND resp.code.like:4', 31, /^an operator for numbers: eq,/, '"like"'],
  ['req.host.gt:"a"', 10, /^an operator for text: eq,/, '"gt"'],
  ["resp.code.eq:abc", 14, /^a number for resp.code/, '"abc"'],
  ["resp.code.eq:", 14, /^a number/, '""'],
  ['(req.host.eq:"a"', 17, /"\)"/, "the end"],
  ['req.host.eq:"a" req.host.eq:"b"', 17, /^AND or OR/, '"req.host"'],
  ["AND", 1, /^a term/, '"AND"'],
  ["req.host.eq:a AND", 18, /^a term/, "the end"],
  ["", 1, /^a term/, "the end"],
  ['"open', 1, /^a term/, '"\\""'],
  ["req.host.e:a", 10, /^an operator/, '"e"'],
  ["req.toString.eq:a", 1, /^a field/, '"req.toString"'],
  ["(".repeat(60), 52, /levels/, '"("'],
] as const) {
  test(`the filter ${filter.slice(0, 40)} is refused at column ${column}`, () => {
    const parsed = parseFilter(filter);
    assert(typeof parsed !== "function");
    assert.equal(parsed.column, column);
    assert.match(parsed.expected, expected);
    assert.ok(parsed.got.startsWith(got.slice(0, 5)), parsed.got);
  });
}

test("a request without a response has no code", () => {
  const failed = { ...REQUEST, status: null };
  assert.equal(matches("resp.code.eq:0", failed), false);
  assert.equal(matches("resp.code.lt:600", failed), false);
  assert.equal(matches("resp.code.ne:200", failed), true);
});

test("a pattern with many wildcards takes linear time", () => {
  const long = { ...REQUEST, path: "a".repeat(100_000) };
  assert.equal(matches(`req.path.like:"${"%a".repeat(1500)}b"`, long), false);
});
