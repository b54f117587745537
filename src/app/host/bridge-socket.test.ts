import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { bridgeSocket } from "./bridge-socket.ts";

test("a client is connected with the socket in the sandbox, and disconnected when that, or the bridge, ends", async (t) => {
  const folder = temporaryFolder(t);
  const [path, target] = [join(folder, "here"), join(folder, "inside")];
  const server = createServer(
    (socket) => void socket.on("data", (data) => socket.write(`echo ${String(data)}`)),
  ).listen(target);
  t.after(() => server.close());
  await once(server, "listening");
  const environment = { PATH: dirname(process.execPath) };
  const close = await bridgeSocket(path, target, { inside: ["/usr/bin/env"], environment });
  const client = connect(path);
  client.write("hello");
  const [answer] = (await once(client, "data")) as [Buffer];
  assert.equal(answer.toString(), "echo hello");
  close();
  await once(client, "close");
  const closeBroken = await bridgeSocket(path, join(folder, "nowhere"), {
    inside: ["/usr/bin/env"],
    environment,
  });
  assert.equal(await text(connect(path)), "");
  closeBroken();
});
