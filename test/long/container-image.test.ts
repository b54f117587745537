// About two minutes.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { createPlace, runCli } from "../flows/support/cli.ts";
import { buildPageImage } from "../support/sandboxes/container-image.ts";
import { codeOf, textOf } from "../support/engines/engine.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { untilTrue } from "../support/running.ts";
import { openSandboxPlace, SECRET, serversOf, whyNot } from "../support/examples/sandbox-example.ts";

const containers = (): string =>
  execFileSync("podman", ["ps", "--all", "--format", "{{.Names}}"], { encoding: "utf8" });

test("the image of docs/sandbox.md", { skip: await whyNot("podman") }, async (t) => {
  const image = await buildPageImage(t);
  const unmounted = { image, mounts: false, workspace: "copy" } as const;

  await t.test("is built as the page says, and runs calls with its own programs", async (t2) => {
    const place = await openSandboxPlace(t2, "podman", { image });
    const result = await place.shell(
      "command -v toolwright-tool-server; command -v python3; echo made > file",
    );
    assert.equal(textOf(result).split("\n")[0], "/usr/local/bin/toolwright-tool-server");
    assert.equal(readFileSync(join(place.workspace, "file"), "utf8"), "made\n");
  });

  await t.test(
    "without mounts, calls of a session share the container, and one that was killed is replaced",
    async (t2) => {
      const place = await openSandboxPlace(t2, "podman", unmounted);
      writeFileSync(join(place.workspace, "text"), "one\n");
      const first = await place.shell("echo two >> text; cat text");
      assert.deepEqual([textOf(first), first.meta.place], ["one\ntwo", "sandbox"]);
      const together = await Promise.all(
        [1, 2, 3, 4].map((one) => place.shell(`echo ${one}; cat text > copy${one}`)),
      );
      assert.deepEqual(together.map(textOf), ["1", "2", "3", "4"]);
      assert.match(textOf(await place.run("read_file", { path: "text" })), /two/);
      assert.equal(readFileSync(join(place.workspace, "text"), "utf8"), "one\n");
      assert.doesNotMatch(textOf(await place.shell(`cat ${place.home}/secret`)), new RegExp(SECRET));
      const running = place.shell("touch running; sleep 600");
      await untilTrue(
        "the command runs",
        async () => codeOf(await place.run("read_file", { path: "running" })) === "ok",
      );
      for (const pid of serversOf(place.workspace)) if (isNode(pid)) process.kill(pid, "SIGKILL");
      assert.equal(codeOf(await running), "TOOL_CRASHED");
      assert.equal(textOf(await place.shell("cat copy4; ls running")), "one\ntwo\nrunning");
      await place.close();
      assert.doesNotMatch(containers(), /^toolwright-/m);
    },
  );

  await t.test(
    "without mounts, changes are shown and applied, and what rules deny stays outside and unchanged",
    async (t2) => {
      const place = createPlace(t2);
      place.write("text", "one\n");
      place.write("gone", "gone\n");
      place.write(".env", "canary\n");
      mkdirSync(join(place.folder, ".toolwright"));
      const rules = [{ path: "**/.env", decision: "deny" }];
      writeFileSync(join(place.folder, ".toolwright/policy.json"), JSON.stringify({ rules }));
      chmodSync(join(place.folder, "text"), 0o640);
      symlinkSync("text", join(place.folder, "link"));
      writeFileSync(
        join(place.home, "config.json"),
        JSON.stringify({ sandbox: "podman", sandboxOptions: unmounted }),
      );
      // No rule about the text of a command sees what a script does.
      place.write(
        "script",
        "cat .env; echo two > text; rm gone; mkdir new; ln -s ../text new/link; echo evil > .mcp.json",
      );
      const called = await runCli(place, ["call", "shell", "command=sh script", "--yes"]);
      assert.equal(called.code, 0, called.stderr);
      assert.doesNotMatch(called.stdout, /canary/);
      const { stdout: diff } = await runCli(place, ["sandbox", "diff", "--json"]);
      assert.deepEqual(
        (JSON.parse(diff) as { path: string; what: string }[]).map(({ path, what }) => [
          path.slice(place.folder.length + 1),
          what,
        ]),
        [
          ["gone", "deleted"],
          ["new", "added"],
          ["new/link", "added"],
          ["text", "changed"],
        ],
      );
      assert.equal((await runCli(place, ["sandbox", "apply"])).code, 0);
      assert.equal(readFileSync(join(place.folder, "text"), "utf8"), "two\n");
      assert.equal(readFileSync(join(place.folder, ".env"), "utf8"), "canary\n");
      assert.equal(existsSync(join(place.folder, ".mcp.json")), false);
      assert.equal((await runCli(place, ["sandbox", "discard"])).code, 0);
    },
  );

  await t.test(
    "without mounts, changes that cannot be copied back are reported with the commands that get them",
    { skip: process.getuid?.() !== 0 && "only root can mount a small disk" },
    async (t2) => {
      const place = createPlace(t2);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", place.home]);
      const config = JSON.stringify({ sandbox: "podman", sandboxOptions: unmounted });
      writeFileSync(join(place.home, "config.json"), config);
      const command = "head -c 20000000 /dev/zero > large; echo small > small";
      const { code, stderr } = await runCli(place, ["call", "shell", `command=${command}`, "--yes"]).finally(
        () => execFileSync("umount", [place.home]),
      );
      assert.equal(code, 0, stderr);
      const [, name = ""] = /in the stopped container (\S+) only/.exec(stderr) ?? [];
      assert.match(containers(), new RegExp(`^${name}$`, "m"));
      const folder = temporaryFolder(t2);
      for (const [, line = ""] of stderr.matchAll(/with: (podman .+?)(?:;|$)/gm))
        execFileSync("sh", ["-c", line.replace("FOLDER", folder)]);
      assert.equal(readFileSync(join(folder, "small"), "utf8"), "small\n");
      assert.doesNotMatch(containers(), new RegExp(name));
    },
  );
});

test("without mounts, a container needs an image and a copy", { skip: await whyNot("podman") }, async (t) => {
  const place = await openSandboxPlace(t, "podman", { mounts: false });
  const result = await place.shell("true");
  assert.equal(codeOf(result), "UNAVAILABLE");
  assert.match(JSON.stringify(result), /sandboxOptions\.image.*sandboxOptions\.workspace/);
});

function isNode(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0]?.endsWith("node") === true;
}
