import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { BoxedProgram } from "./types.ts";
import { createUnmounted } from "./unmounted-container.ts";

interface Scene {
  readonly copy: string;
  /** What the container has in place of the workspace. */
  readonly volume: string;
  /** The operations of the engine, in order. */
  readonly calls: readonly string[];
  readonly program: BoxedProgram;
}

const HIDDEN = ["/project/secret", "/project/.env", "/project/keys/one", "/elsewhere"];

/** Makes a container of an engine that stores the volume in a folder here; `broken` operations fail. */
async function scene(t: TestContext, broken: ReadonlySet<string> = new Set()): Promise<Scene> {
  const folder = temporaryFolder(t);
  const [copy, volume] = [join(folder, "copy"), join(folder, "volume")];
  for (const one of [volume, join(copy, "secret"), join(copy, "keys")]) mkdirSync(one, { recursive: true });
  for (const name of ["text", ".env", "secret/key", "keys/one"]) writeFileSync(join(copy, name), name);
  const calls: string[] = [];
  const run = async ([operation = "", ...rest]: readonly string[]) => {
    calls.push(operation);
    const [from = "", to = ""] = rest.map((one) => one.replace(/^toolwright-[^:]+:\/project/, volume));
    if (operation === "cp" && !broken.has("cp")) cpSync(from, to, { recursive: true });
    return { isOk: !broken.has(operation), output: "why" };
  };
  const box = {
    workspace: ["/project"],
    readable: [],
    hidden: HIDDEN,
    hasNetwork: false,
    image: "own",
    copies: new Map([["/project", copy]]),
    ownFolder: folder,
  };
  const making = createUnmounted({ run, args: ["own", "server"], box, cli: "/bin/podman", environment: {} });
  return {
    copy,
    volume,
    calls,
    program: await making.catch((error: unknown) => Promise.reject(Object.assign(error as Error, { calls }))),
  };
}

test("a container without mounts gets the copy without what is hidden, and the copy gets its changes back", async (t) => {
  const { copy, volume, calls, program } = await scene(t);
  assert.deepEqual(readdirSync(volume).toSorted(), ["keys", "text"]);
  assert.deepEqual(program.args.slice(0, 3), ["start", "--attach", "--interactive"]);
  rmSync(join(volume, "text"));
  writeFileSync(join(volume, "new"), "new");
  writeFileSync(join(volume, ".env"), "evil");
  await program.atEnd?.();
  assert.deepEqual(readdirSync(copy).toSorted(), [".env", "keys", "new", "secret"]);
  assert.equal(readFileSync(join(copy, ".env"), "utf8"), ".env");
  assert.equal(readFileSync(join(copy, "secret/key"), "utf8"), "secret/key");
  assert.deepEqual(calls, ["create", "cp", "stop", "cp", "rm"]);
});

test("a link that a program puts in place of a folder does not lead out of the copy", async (t) => {
  const { copy, volume, program } = await scene(t);
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, "one"), "of the host");
  rmSync(join(volume, "keys"), { recursive: true });
  symlinkSync(outside, join(volume, "keys"));
  await program.atEnd?.();
  assert.equal(readFileSync(join(outside, "one"), "utf8"), "of the host");
  assert.equal(readFileSync(join(copy, "keys/one"), "utf8"), "keys/one");
});

test("a copy that was discarded meanwhile is not made again", async (t) => {
  const { copy, calls, program } = await scene(t);
  rmSync(copy, { recursive: true });
  await program.atEnd?.();
  assert.equal(existsSync(copy), false);
  assert.equal(calls.at(-1), "rm");
});

test("a container that cannot be filled is removed, and one whose changes cannot be copied stays, with the commands that get and remove it", async (t) => {
  await assert.rejects(scene(t, new Set(["cp"])), (error: Error & { calls?: readonly string[] }) => {
    assert.match(error.message, /cp failed: why/);
    assert.deepEqual(error.calls, ["create", "cp", "rm"]);
    return true;
  });
  const broken = new Set<string>();
  const { copy, calls, program } = await scene(t, broken);
  broken.add("cp");
  await assert.rejects(
    program.atEnd?.() ?? Promise.resolve(),
    /in the stopped container (toolwright-\S+) only: cp failed: why; .*: podman cp '\1:\/project\/\.' FOLDER; .*: podman rm --volumes \1$/,
  );
  assert.deepEqual(calls.slice(-2), ["stop", "cp"]);
  assert.equal(readFileSync(join(copy, "text"), "utf8"), "text");
});
