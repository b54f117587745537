import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { runProcess } from "../process/process.ts";
import { intoBox, probeBox } from "./box.ts";
import { containerArguments } from "./container-arguments.ts";
import type { Box } from "./types.ts";

/** Writes a program that records its arguments and, for `run`, runs what follows the image on this machine, but not the check of the sandbox. */
function fakeEngine(
  t: TestContext,
  name: string,
  { more = "", check = "echo filter: 2; echo checked" } = {},
): { readonly path: string; calls(): readonly string[] } {
  const folder = temporaryFolder(t);
  const log = join(folder, "log");
  const program = join(folder, name);
  writeFileSync(
    program,
    `#!/bin/bash
echo "$*" >> ${log}
${more}
case "$1" in
  image) [ -e ${folder}/image ] ;;
  import) touch ${folder}/image ;;
  run) while [[ "$1" != localhost/toolwright-root:* && "$1" != own/image ]]; do shift; done; shift
    case "$*" in *core_pattern*) ${check} ;; *) exec "$@" ;; esac ;;
esac
`,
  );
  chmodSync(program, 0o755);
  return {
    path: `${folder}:${process.env["PATH"] ?? ""}`,
    calls: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

for (const engine of ["podman", "docker"] as const)
  test(`${engine}: a probe makes the image once and tries it; a program is run and its container removed`, async (t) => {
    const fake = fakeEngine(t, engine);
    assert.equal((await probeBox(engine, fake.path)).works, true);
    assert.deepEqual(
      fake.calls().map((line) => line.split(" ")[0]),
      ["image", "import", "run"],
    );
    const program = {
      file: "/bin/echo",
      args: ["done"],
      cwd: "/",
      environment: { PATH: fake.path, SECRET: "value" },
    };
    const box: Box = { path: fake.path, workspace: [], readable: [], hasNetwork: false };
    const boxed = await intoBox(program, box, engine);
    let output = "";
    await runProcess({ ...boxed, env: boxed.environment, onOutput: ({ text }) => void (output += text) });
    await boxed.atEnd?.();
    assert.equal(output, "done\n");
    const last = fake.calls().at(-2) ?? "";
    assert.match(last, /--network=none .*--env SECRET /);
    assert.doesNotMatch(last, /value/);
    const [, name = "none"] = /--name (\S+)/.exec(last) ?? [];
    assert.equal(fake.calls().at(-1), `rm --force ${name}`);
  });

test("an engine in whose containers files of the kernel can be written does not work", async (t) => {
  const fake = fakeEngine(t, "podman", { check: "echo open: /proc/sysrq-trigger; echo checked" });
  const probe = await probeBox("podman", fake.path);
  assert.match(probe.works ? "" : probe.reason, /podman does not hold here: .*sysrq-trigger/);
});

test("an engine that does not work says why", async (t) => {
  const fake = fakeEngine(t, "podman", { more: "echo no service >&2; exit 125" });
  const probe = await probeBox("podman", fake.path);
  assert.match(probe.works ? "" : probe.reason, /podman does not work here: no service/);
  const unmounted = await probeBox("podman", fake.path, false);
  assert.match(unmounted.works ? "" : unmounted.reason, /podman does not work here: no service/);
  const none = await probeBox("docker", "/nowhere");
  assert.deepEqual(none.works ? {} : none.reason, "docker is not installed");
});

test("a container has the workspace writable, the protected names read-only, and what is hidden empty", (t) => {
  const folder = temporaryFolder(t);
  for (const name of [".git", "secret"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, ".env"), "");
  const program = { file: "x", args: [], cwd: folder, environment: { HOME: "/home/me" } };
  const box: Box = {
    workspace: [folder],
    readable: ["/opt", folder],
    hidden: [join(folder, "secret"), join(folder, ".env")],
    hasNetwork: false,
    copies: new Map([[folder, "/copy"]]),
    limits: { memoryBytes: 1000, processes: 10, tmpBytes: 500 },
  };
  const line = containerArguments("docker", program, box).join(" ");
  for (const part of [
    `--mount type=bind,source=/copy,destination=${folder} `,
    `--mount type=bind,source=${folder}/.git,destination=${folder}/.git,readonly`,
    `--tmpfs ${folder}/secret:ro`,
    `--mount type=bind,source=/dev/null,destination=${folder}/.env,readonly`,
    "--pids-limit 10 --memory 1000",
    "--tmpfs /home/me:rw,exec,nosuid,nodev,mode=1777,size=500",
    `--user ${process.getuid?.()}:${process.getgid?.()}`,
  ])
    assert.ok(line.includes(part), `${part} in ${line}`);
  const own = containerArguments("podman", program, { ...box, image: "own/image", hasNetwork: true }).join(
    " ",
  );
  assert.match(own, /--network=host .* own\/image$/);
  assert.doesNotMatch(own, /source=\/usr,/);
});

test("a folder with a comma in its path cannot be mounted", async (t) => {
  const folder = join(temporaryFolder(t), "a,b");
  const program = { file: "x", args: [], cwd: "/", environment: {} };
  assert.throws(
    () => containerArguments("podman", program, { workspace: [folder], readable: [], hasNetwork: false }),
    /cannot mount .*a,b/,
  );
});
