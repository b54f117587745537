import assert from "node:assert/strict";
import { test } from "node:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { greet, knowsLinks, readServerInfo } from "./server-facts.ts";

test("we answer a handshake as the protocol's own server would", () => {
  const info = readServerInfo();
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS)
    assert.equal(greet(info, { protocolVersion })["protocolVersion"], protocolVersion);
  for (const odd of [{ protocolVersion: "1999-01-01" }, { protocolVersion: 5 }, {}, undefined, null])
    assert.equal(greet(info, odd)["protocolVersion"], SUPPORTED_PROTOCOL_VERSIONS[0]);
});

test("links are for clients that know them", () => {
  assert.equal(knowsLinks("2025-06-18"), true);
  assert.equal(knowsLinks("2026-07-28"), true);
  assert.equal(knowsLinks("2025-03-26"), false);
  assert.equal(knowsLinks(undefined), false);
});
