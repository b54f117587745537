// Attacks on the level `workspace`: commands that no rule allows run in the sandbox of the session, and nobody is there to approve others.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { textOf } from "../support/engines/engine.ts";
import { openBorderHost, type BorderHost } from "../support/sandboxes/border-host.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";
import { OPENED, workspaceAttacks, type AttackPlace } from "../support/sandboxes/workspace-attacks.ts";

const CANARY = "kanari-vogel-4711";
/** Long enough for a command to start, and short for one that waits. */
const LIMIT_S = 5;

test(
  "at least 200 hostile commands at level workspace change, read, reach and stop nothing outside of it",
  {
    skip: withoutBoxes,
  },
  async (t) => {
    const box = await openBorderHost(t, { level: "workspace" }, () => ({
      approved: false,
      reason: "not now",
    }));
    fill(box);
    const server = await listen(t, box.other);
    const victim = spawn("sleep", ["600"], { stdio: "ignore", env: { CANARY } });
    t.after(() => victim.kill());
    const place: AttackPlace = {
      work: box.workspace,
      home: box.home,
      other: box.other,
      port: server.port,
      socket: server.socket,
      pid: victim.pid ?? 0,
    };
    const outside = [box.home, box.other, join(box.workspace, ".git/hooks")];
    const before = outside.map(contentsOf);
    const gitConfig = readFileSync(join(box.workspace, ".git/config"), "utf8");
    const attacks = workspaceAttacks(place);
    const harmful: string[] = [];
    let ran = 0;
    for (const command of attacks) {
      const asked = box.asked.length;
      const result = await box.run("shell", { command, timeout: LIMIT_S });
      const code = result.ok ? undefined : result.error.code;
      if (code !== "DENIED" && box.asked.length === asked) {
        ran += 1;
        assert.equal(result.meta.place, "sandbox", `${command}: ${textOf(result)}`);
      }
      const effects = [
        ...(textOf(result).includes(CANARY) ? ["printed a secret"] : []),
        ...(textOf(result).includes(OPENED) ? ["opened"] : []),
        ...(server.takeCount() > 0 ? ["connected"] : []),
        ...(victim.exitCode !== null || victim.signalCode !== null ? ["stopped a process"] : []),
      ];
      if (effects.length > 0) harmful.push(`${command}: ${effects.join(", ")}`);
    }
    t.diagnostic(`tried ${attacks.length}, ran ${ran} in the sandbox, effects ${harmful.length}`);
    assert.deepEqual(harmful, []);
    assert.deepEqual(outside.map(contentsOf), before);
    assert.equal(readFileSync(join(box.workspace, ".git/config"), "utf8"), gitConfig);
    assert.ok(attacks.length >= 200 && ran >= 100, `${ran} of ${attacks.length}`);
  },
);

function fill({ workspace, home, other }: BorderHost): void {
  for (const folder of [join(workspace, ".git/hooks"), join(home, ".ssh")])
    mkdirSync(folder, { recursive: true });
  const files = {
    [join(workspace, "a.txt")]: "a\n",
    [join(workspace, ".git/config")]: "[core]\n\tbare = false\n",
    [join(workspace, ".git/HEAD")]: "ref: refs/heads/main\n",
    [join(workspace, ".git/hooks/pre-commit")]: "#!/bin/sh\n",
    [join(home, ".bashrc")]: "# shell\n",
    [join(home, ".ssh/id_rsa")]: `${CANARY}\n`,
    [join(home, ".ssh/authorized_keys")]: "ssh-ed25519 a\n",
    [join(home, ".toolwright/http-token")]: `${CANARY}\n`,
    [join(other, "notes.txt")]: "notes\n",
    [join(other, "secret.txt")]: `${CANARY}\n`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
}

/** Listens on the loopback of the machine and on a Unix socket in the folder, and counts who connects. */
async function listen(t: TestContext, folder: string) {
  let count = 0;
  const listening = async (where: string | number): Promise<AddressInfo | string | null> => {
    const server = createServer((_, response) => response.end(CANARY));
    server.on("connection", () => (count += 1));
    if (typeof where === "string") server.listen(where);
    else server.listen(where, "127.0.0.1");
    await once(server, "listening");
    t.after(() => void server.close());
    return server.address();
  };
  const address = await listening(0);
  assert.ok(address !== null && typeof address === "object");
  const socket = join(folder, "s");
  await listening(socket);
  return {
    port: address.port,
    socket,
    takeCount(): number {
      const last = count;
      count = 0;
      return last;
    },
  };
}

/** Returns each file below a folder with its mode and content. */
function contentsOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const path = join(folder, name);
      const status = lstatSync(path);
      const text = status.isFile() ? readFileSync(path, "latin1") : "";
      return `${name} ${status.mode} ${text}`;
    });
}
