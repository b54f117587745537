import assert from "node:assert/strict";
import { test } from "node:test";
import { ROUTES, type AnswerOf, type RouteName } from "../../src/app/http/api.ts";
import { api, read, urlOf } from "./client.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { keyOf } from "./operations.ts";
import { useRead } from "./queries.ts";

test("every operation has the method, path and rights of the server", () => {
  const names = Object.keys(ROUTES) as readonly RouteName[];
  assert.deepEqual(Object.keys(ENDPOINTS), names);
  for (const name of names) {
    const { method, path, rights } = ROUTES[name];
    assert.deepEqual(ENDPOINTS[name], { method, path, rights });
  }
});

test("there is a function for each operation that changes something, and for no other", () => {
  const changing = Object.entries(ROUTES).flatMap(([name, { method }]) => (method === "GET" ? [] : [name]));
  assert.deepEqual(Object.keys(api), changing);
});

test("a URL has the parameters of its path encoded, and the others as its query", () => {
  assert.equal(urlOf("calls", {}), "/api/calls");
  assert.equal(urlOf("call", { callId: "a/b?c#d é" }), "/api/calls/a%2Fb%3Fc%23d%20%C3%A9");
  assert.equal(
    urlOf("searchArtifact", { id: "a b", text: "x & y=1", isPattern: false }),
    "/api/artifacts/a%20b/search?text=x+%26+y%3D1&isPattern=false",
  );
  assert.equal(urlOf("artifact", { id: "{id}", start: 0 }), "/api/artifacts/%7Bid%7D?start=0");
});

test("an empty parameter of the query is not sent", () => {
  assert.equal(urlOf("events", { after: "" }), "/api/events");
  assert.equal(urlOf("run", {}), "/api/calls");
});

test("answers at different addresses are cached under different keys", () => {
  assert.deepEqual(keyOf("session", { id: "a" }), ["session", { id: "a" }]);
  assert.notDeepEqual(keyOf("session", { id: "a" }), keyOf("session", { id: "b" }));
});

// For the compiler only, which `npm run check` runs: a directive above a line without an error is an error.
const WRONG: readonly (() => unknown)[] = [
  // @ts-expect-error -- no such operation
  () => read("explian", {}),
  // @ts-expect-error -- no such operation
  () => api.explian({ command: "ls" }),
  // @ts-expect-error -- an operation that changes something is not read
  () => read("decide", { id: "a" }),
  // @ts-expect-error -- an operation that only reads changes nothing
  () => api.calls({}),
  // @ts-expect-error -- a stream of events is no JSON
  () => read("events", {}),
  // @ts-expect-error -- the parameter of the path is missing
  () => read("call", {}),
  // @ts-expect-error -- the parameter of the path has another name
  () => read("call", { id: "a" }),
  // @ts-expect-error -- a parameter that the path has not
  () => read("state", { id: "a" }),
  // @ts-expect-error -- no such parameter of the query
  () => read("calls", { limits: 5 }),
  // @ts-expect-error -- a number
  () => read("calls", { limit: "5" }),
  // @ts-expect-error -- the body is missing
  () => api.decide({ id: "a" }),
  // @ts-expect-error -- the parameter of the path is missing
  () => api.decide({ choice: "once" }),
  // @ts-expect-error -- no such field of the body
  () => api.decide({ id: "a" }, { choices: "once" }),
  // @ts-expect-error -- it takes no body
  () => api.cancelCall({ callId: "a" }, {}),
  // @ts-expect-error -- it takes no parameter of a path
  () => api.setMode({ id: "a" }, { mode: "plan" }),
  // @ts-expect-error -- no such mode
  () => api.setMode({ mode: "none" }),
  // @ts-expect-error -- no such operation
  () => useRead("explian"),
  // @ts-expect-error -- the parameter of the path is missing
  () => useRead("session"),
  // @ts-expect-error -- the parameter of the path has another name
  () => useRead("session", { callId: "a" }),
  // @ts-expect-error -- no such operation
  () => urlOf("explian", {}),
  // @ts-expect-error -- the answer of another operation
  (): Promise<AnswerOf<"call">> => read("calls", {}),
];

const RIGHT: readonly (() => unknown)[] = [
  () => read("call", { callId: "a" }),
  () => read("calls", { limit: 5 }),
  () => api.decide({ id: "a" }, { choice: "once" }),
  () => api.cancelCall({ callId: "a" }),
  () => api.openChat({}),
  () => useRead("state"),
  () => useRead("fleet", {}, { everyMs: 3000 }),
  (): Promise<AnswerOf<"calls">> => read("calls", {}),
];

void [WRONG, RIGHT];
