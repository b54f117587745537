import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { startNats, startNatsCluster } from "../../../test/support/servers/nats.ts";
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
  const silent = createServer((socket) => t.after(() => socket.destroy())).listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  await assert.rejects(
    connectFleet({ servers: [`127.0.0.1:${port}`] }, "test"),
    (error: unknown) =>
      error instanceof ToolError &&
      error.code === "UNAVAILABLE" &&
      /no answer within 2 s, twice/.test(error.message),
  );
  const { url } = await startNats(t, { more: 'authorization { token: "secret" }' });
  await assert.rejects(
    connectFleet({ servers: [url] }, "test"),
    (error: unknown) => error instanceof ToolError && error.code === "UNAUTHORIZED",
  );
});

test("a server that is too slow for the first attempt is asked once more", async (t) => {
  const { url } = await startNats(t);
  const server = new URL(url);
  let attempts = 0;
  const slow = createServer((socket) => {
    attempts += 1;
    socket.on("error", () => undefined);
    t.after(() => socket.destroy());
    if (attempts === 1) return;
    const upstream = connect(Number(server.port), server.hostname, () => socket.pipe(upstream).pipe(socket));
    upstream.on("error", () => undefined);
    t.after(() => upstream.destroy());
  }).listen(0, "127.0.0.1");
  t.after(() => slow.close());
  await once(slow, "listening");
  const { port } = slow.address() as AddressInfo;
  const fleet = await connectFleet({ servers: [`127.0.0.1:${port}`] }, "test");
  t.after(() => fleet.close());
  assert.equal(attempts, 2);
});

/** Returns a token of NATS: claims about a key, signed by another. */
function sign(by: nkeys.KeyPair, of: nkeys.KeyPair, nats: object): string {
  const part = (value: object | Uint8Array): string =>
    Buffer.from(value instanceof Uint8Array ? value : JSON.stringify(value)).toString("base64url");
  const about = {
    jti: of.getPublicKey(),
    iat: 1,
    name: "test",
    iss: by.getPublicKey(),
    sub: of.getPublicKey(),
  };
  const text = `${part({ typ: "JWT", alg: "ed25519-nkey" })}.${part({ ...about, nats: { ...nats, version: 2 } })}`;
  return `${text}.${part(by.sign(Buffer.from(text)))}`;
}

test("a file of credentials is accepted by servers with an operator, is read again at each connection, and one of another account is refused", async (t) => {
  const folder = temporaryFolder(t);
  const [operator, system] = [nkeys.createOperator(), nkeys.createAccount()];
  const [account, next] = [nkeys.createAccount(), nkeys.createAccount()];
  const free = { subs: -1, data: -1, payload: -1 };
  const limits = {
    ...free,
    imports: -1,
    exports: -1,
    wildcards: true,
    conn: -1,
    leaf: -1,
    mem_storage: -1,
    disk_storage: -1,
  };
  const accountOf = (one: nkeys.KeyPair, more: object): string =>
    `${one.getPublicKey()}: "${sign(operator, one, { type: "account", limits: more })}"`;
  const moreFor = (one: nkeys.KeyPair): string =>
    [
      `operator: "${sign(operator, operator, { type: "operator" })}"`,
      `system_account: ${system.getPublicKey()}`,
      "resolver: MEMORY",
      `resolver_preload { ${accountOf(system, { ...limits, mem_storage: 0, disk_storage: 0 })}, ${accountOf(one, limits)} }`,
    ].join("\n");
  const server = await startNats(t, { more: moreFor(account) });
  const { url } = server;
  const write = (name: string, of: nkeys.KeyPair): string => {
    const user = nkeys.createUser();
    const seed = Buffer.from(user.getSeed()).toString();
    const token = sign(of, user, { type: "user", ...free });
    const block = (title: string, text: string): string =>
      `-----BEGIN ${title}-----\n${text}\n------END ${title}------\n`;
    const file = join(folder, name);
    writeFileSync(file, `${block("NATS USER JWT", token)}\n${block("USER NKEY SEED", seed)}`);
    return file;
  };
  const fleet = await connectFleet({ servers: [url], credentials: write("good", account) }, "test");
  const manager = await fleet.js.jetstreamManager();
  await manager.streams.add({ name: "s", subjects: ["s"] });
  write("good", next);
  const reconnected = new Promise<void>((resolve) => fleet.onReconnect(resolve));
  await server.restart(moreFor(next));
  await reconnected;
  await fleet.close();
  await assert.rejects(
    connectFleet({ servers: [url], credentials: join(folder, "none") }, "test"),
    (error: unknown) => error instanceof ToolError && error.code === "MISSING_CREDENTIALS",
  );
  for (const credentials of [write("bad", nkeys.createAccount()), undefined])
    await assert.rejects(
      connectFleet({ servers: [url], credentials }, "test"),
      (error: unknown) => error instanceof ToolError && error.code === "UNAUTHORIZED",
    );
});

test("an engine that the servers refuse for a while connects again", async (t) => {
  const server = await startNats(t);
  const fleet = await connectFleet({ servers: [server.url] }, "test");
  t.after(() => fleet.close());
  let refusals = 0;
  void (async () => {
    for await (const { type } of fleet.nc.status()) if (type === "error") refusals += 1;
  })();
  await server.restart('authorization { token: "secret" }');
  await untilTrue("it was refused more than once", () => refusals > 2);
  const reconnected = new Promise<void>((resolve) => fleet.onReconnect(resolve));
  await server.restart("");
  await reconnected;
});
