import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { loadCrypto } from "../crypto.ts";
import { createRunner, type Run } from "./create-runner.ts";
import { findProgram } from "./find-program.ts";
import { CHECK, describeHole, parseCheck } from "./kernel-files.ts";
import { containerArguments, rootImage, rootLinks } from "./container-arguments.ts";
import { limited } from "./limits.ts";
import { refuseDomains } from "./refuse.ts";
import { createUnmounted } from "./unmounted-container.ts";
import type { Box, BoxedProgram, BoxKind, BoxProbe } from "./types.ts";

/** A container engine is a service that may be slow to answer the first time. */
const PROBE_MS = 30_000;
const REMOVE_MS = 30_000;
/** The workspace may be large, and the engine far away. */
const COPY_MS = 600_000;
/** The shell is the first process of the container, which has to wait for those that lost their parents. */
const INIT = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

/**
 * Sandboxes of a container engine, by its command line. The image is an empty one, made here from nothing, in which the folders of
 * this machine are mounted read-only; or one of the user's, which must contain the program.
 */
export function containerKind(engine: "podman" | "docker"): BoxKind {
  return {
    probe: (path, isMounted = true) => probeEngine(engine, path, isMounted),
    wrap(program, box, { program: cli }) {
      refuseDomains(box, engine);
      const environment = ownEnvironment(program);
      const { file, args } = limited(program, box.limits);
      const start = [...INIT, file, ...args];
      if (box.isMounted === false) {
        const bare = containerArguments(engine, program, { ...box, workspace: [], readable: [], hidden: [] });
        const run = createRunner(cli, environment, COPY_MS);
        return createUnmounted({ run, args: [...bare, ...start], box, cli, environment });
      }
      const name = `toolwright-${loadCrypto().randomUUID()}`;
      return {
        file: cli,
        args: ["run", "--rm", "--name", name, ...containerArguments(engine, program, box), ...start],
        cwd: "/",
        environment,
        // The engine, not its command line, runs the container.
        atEnd: () => remove(cli, name, environment),
      };
    },
  };
}

/** Returns the environment of the command line: an engine of the user has its images in the home folder, which the container does not know. */
function ownEnvironment({ environment }: BoxedProgram): BoxedProgram["environment"] {
  return { ...environment, HOME: homedir(), TMPDIR: "/tmp" };
}

async function probeEngine(engine: string, path: string, isMounted: boolean): Promise<BoxProbe> {
  const program = findProgram(engine, path);
  const hint = `install ${engine} and check that ${engine} info works for this user`;
  if (program === undefined) return { works: false, reason: `${engine} is not installed`, hint };
  const run = createRunner(program, { PATH: path, HOME: homedir() }, PROBE_MS);
  if (!isMounted) {
    const { isOk, output } = await run(["info"]);
    return isOk
      ? { works: true, program }
      : { works: false, reason: `${engine} does not work here: ${output}`, hint };
  }
  const image = rootImage();
  const has = await run(["image", "inspect", image]);
  const made = has.isOk ? has : await makeImage(run, image, path);
  if (!made.isOk) return { works: false, reason: `${engine} does not work here: ${made.output}`, hint };
  const tried = await tryContainer(engine, run);
  const checked = parseCheck(tried.output);
  if (!tried.isOk || checked === undefined)
    return { works: false, reason: `${engine} cannot start a container: ${tried.output}`, hint };
  if (checked.open.length === 0) return { works: true, program, hasFilter: checked.hasFilter };
  return { works: false, reason: `${engine} does not hold here: ${describeHole(checked)}`, hint: HOLE_HINT };
}

async function tryContainer(engine: string, run: Run): ReturnType<Run> {
  const ownFolder = mkdtempSync(join(tmpdir(), "toolwright-container-"));
  try {
    const program = { file: "true", args: [], cwd: "/", environment: {} };
    const args = containerArguments(engine, program, { ...EMPTY, ownFolder });
    return await run(["run", "--rm", ...args, ...CHECK]);
  } finally {
    rmSync(ownFolder, { recursive: true, force: true });
  }
}

const HOLE_HINT = "run as a user other than root, or use bubblewrap";
const EMPTY: Box = { workspace: [], readable: [], hasNetwork: false };

/** Makes the image from nothing: a container engine takes the whole content of an image as an archive. */
async function makeImage(run: Run, image: string, path: string): ReturnType<Run> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-image-"));
  try {
    const [root, archive] = [join(folder, "root"), join(folder, "root.tar")];
    for (const name of ["", "etc", "tmp"]) mkdirSync(join(root, name));
    for (const [path, target] of rootLinks()) symlinkSync(target, join(root, path));
    const pack = createRunner("tar", { PATH: path }, PROBE_MS);
    const packed = await pack(["-cf", archive, "--owner=0", "--group=0", "-C", root, "."]);
    return packed.isOk ? await run(["import", archive, image]) : packed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function remove(cli: string, name: string, environment: BoxedProgram["environment"]): Promise<void> {
  await createRunner(cli, environment, REMOVE_MS)(["rm", "--force", name]);
}
