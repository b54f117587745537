import assert from "node:assert/strict";
import { test } from "node:test";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { greet, readServerInfo } from "./server-info.ts";

test("a handshake is answered with the version that the SDK's own server would choose", () => {
  const info = readServerInfo();
  for (const protocolVersion of SUPPORTED_PROTOCOL_VERSIONS)
    assert.equal(greet(info, { protocolVersion }, "")["protocolVersion"], protocolVersion);
  for (const odd of [{ protocolVersion: "1999-01-01" }, { protocolVersion: 5 }, {}, undefined, null])
    assert.equal(greet(info, odd, "")["protocolVersion"], SUPPORTED_PROTOCOL_VERSIONS[0]);
});
