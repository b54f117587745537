import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createPlace,
  oldNode,
  LAUNCHER,
  longCommand,
  processesWith,
  runProcess,
  startCli,
  until,
  withoutProc,
} from "./support/cli.ts";

const skip = withoutProc || (oldNode === undefined ? "there is no Node from 14 to 21 on the PATH" : false);
const old = oldNode === undefined ? {} : { node: oldNode };
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

test("--version prints the package's version and loads nothing else", async (t) => {
  const place = createPlace(t);
  const { code, stdout } = await runProcess(place, ["--version"]);
  assert.deepEqual([code, stdout], [0, `${version}\n`]);
  const copied = join(place.folder, "bin");
  mkdirSync(copied);
  for (const name of ["toolwright.js", "package.json"])
    copyFileSync(join(LAUNCHER, "..", name), join(copied, name));
  copyFileSync("package.json", join(place.folder, "package.json"));
  const alone = spawnSync(process.execPath, [join(copied, "toolwright.js"), "--version"], {
    encoding: "utf8",
  });
  assert.equal(alone.stdout, `${version}\n`);
});

test("without a build, it prints what to run", async (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, "bin"));
  for (const name of ["toolwright.js", "package.json"])
    copyFileSync(join(LAUNCHER, "..", name), join(place.folder, "bin", name));
  const { status, stderr } = spawnSync(process.execPath, [join(place.folder, "bin/toolwright.js"), "tools"], {
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /^toolwright: .*npm run prepare.*\n$/);
});

test("the program runs through links and from a folder with special characters", async (t) => {
  const place = createPlace(t);
  const linked = join(place.folder, "a b#%25?");
  symlinkSync(process.cwd(), linked);
  symlinkSync(join(linked, "bin/toolwright.js"), join(place.folder, "toolwright"));
  const args = ["explain", "shell", "command=ls -l | wc"];
  const direct = await runProcess(place, args);
  assert.equal(direct.code, 0, direct.stderr);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: place.home, TOOLWRIGHT_HOME: place.home };
  const [folder, program] = [join(linked, "bin/toolwright.js"), join(place.folder, "toolwright")];
  const kept = ["--preserve-symlinks", "--preserve-symlinks-main"];
  for (const words of [[folder], [program], [...kept, folder]]) {
    const { stdout, stderr } = spawnSync(process.execPath, [...words, ...args], {
      cwd: place.folder,
      env: environment,
      encoding: "utf8",
    });
    assert.equal(stdout, direct.stdout, `${words.join(" ")}: ${stderr}`);
  }
});

test(
  "an old Node runs the program with the newer one, passing on streams and exit code",
  { skip },
  async (t) => {
    const place = createPlace(t);
    place.write("a", "text\n");
    const input = JSON.stringify({ path: "a" });
    const { code, stdout } = await runProcess(place, ["call", "read_file", "--args", "-"], { ...old, input });
    assert.deepEqual([code, stdout], [0, "     1\ttext\n"]);
    const denied = await runProcess(place, ["call", "shell", "command=touch b"], old);
    assert.equal(denied.code, 3);
    assert.match(denied.stderr, /--yes/);
  },
);

test("an old Node without a newer one prints what is needed", { skip }, (t) => {
  const place = createPlace(t);
  mkdirSync(join(place.folder, "bin"));
  symlinkSync(join(LAUNCHER, "../../dist"), join(place.folder, "dist"));
  for (const name of ["toolwright.js", "package.json"])
    copyFileSync(join(LAUNCHER, "..", name), join(place.folder, "bin", name));
  const { status, stderr } = spawnSync(oldNode!, [join(place.folder, "bin/toolwright.js"), "tools"], {
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.match(stderr, /^toolwright: needs Node 22\.19 or newer.*\n$/);
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`the launcher forwards ${signal}: the call is cancelled once, exit code 130`, { skip }, async (t) => {
    const { command, mark } = longCommand();
    const { child, finished } = startCli(
      createPlace(t),
      ["call", "shell", `command=${command}`, "--mode", "yolo"],
      old,
    );
    await until("the command runs", () => processesWith(mark).length > 0);
    child.kill(signal);
    const { code, stderr } = await finished;
    assert.equal(code, 130);
    assert.match(stderr, /cancelled/);
    assert.deepEqual(processesWith(mark), []);
  });
}

test("killing the launcher ends the real process and its children", { skip }, async (t) => {
  const { command, mark } = longCommand();
  const place = createPlace(t);
  const { child } = startCli(place, ["call", "shell", `command=${command}`, "--mode", "yolo"], old);
  await until("the command runs", () => processesWith(mark).length > 0);
  const real = childrenOf(child.pid ?? 0);
  assert.equal(real.length, 1);
  child.kill("SIGKILL");
  await until("the command has ended", () => processesWith(mark).length === 0);
  await until("the real process has ended", () => !existsSync(`/proc/${real[0]}`));
  const { stdout } = await runProcess(place, ["trace", "--json"]);
  assert.match(stdout, /"state":"answered".*"CANCELLED"/, "and it settled its call first");
});

test("a real process killed by a signal is reported as that signal", { skip }, async (t) => {
  const { command, mark } = longCommand();
  t.after(() => {
    for (const pid of processesWith(mark)) process.kill(pid, "SIGKILL");
  });
  const { child, finished } = startCli(
    createPlace(t),
    ["call", "shell", `command=${command}`, "--mode", "yolo"],
    old,
  );
  await until("the command runs", () => processesWith(mark).length > 0);
  for (const pid of childrenOf(child.pid ?? 0)) process.kill(pid, "SIGKILL");
  assert.equal((await finished).signal, "SIGKILL");
});

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").map(Number).filter(Boolean);
}
