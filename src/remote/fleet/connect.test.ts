import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { startNats, startNatsCluster } from "../../../test/support/nats.ts";
import { connectFleet } from "./connect.ts";

test("a connection reaches a server with JetStream", async (t) => {
  const { url } = await startNats(t);
  const fleet = await connectFleet({ servers: [url], namespace: "one" }, "test");
  t.after(() => fleet.close());
  const manager = await fleet.js.jetstreamManager();
  await manager.streams.add({ name: fleet.names.calls, subjects: [`${fleet.names.root}.call.>`] });
  const ack = await fleet.js.publish(fleet.names.callSubject("p", "normal"), "x");
  assert.deepEqual([ack.stream, ack.seq], ["tw-one-calls", 1]);
});

test("a stream of a cluster is stored on three servers", async (t) => {
  const servers = await startNatsCluster(t);
  const fleet = await connectFleet({ servers: servers.map(({ url }) => url), replicas: 3 }, "test");
  t.after(() => fleet.close());
  const manager = await fleet.js.jetstreamManager();
  const info = await manager.streams.add({ name: "s", subjects: ["s"], num_replicas: fleet.replicas });
  assert.equal(info.config.num_replicas, 3);
});

test("a server that does not answer is UNAVAILABLE, refused credentials are UNAUTHORIZED", async (t) => {
  await assert.rejects(
    connectFleet({ servers: ["127.0.0.1:1"] }, "test"),
    (error: unknown) =>
      error instanceof ToolError && error.code === "UNAVAILABLE" && /127\.0\.0\.1:1/.test(error.message),
  );
  const { url } = await startNats(t, { more: 'authorization { token: "secret" }' });
  await assert.rejects(
    connectFleet({ servers: [url] }, "test"),
    (error: unknown) => error instanceof ToolError && error.code === "UNAUTHORIZED",
  );
});
