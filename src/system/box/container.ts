import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  existsSync,
  readFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { loadCrypto } from "../crypto.ts";
import { createRunner, type Run } from "./create-runner.ts";
import { containerProfile } from "./filter/container-profile.ts";
import { findProgram } from "./find-program.ts";
import { NETWORK_SETTINGS, SETTINGS, SYSTEM } from "./bubblewrap.ts";
import { CHECK, describeHole, kernelPathsToMask, parseCheck } from "./kernel-files.ts";
import { limited } from "./limits.ts";
import { refuseDomains } from "./refuse.ts";
import { SHIELD } from "./shield.ts";
import { createUnmounted } from "./unmounted-container.ts";
import { protectedPaths, type Box, type BoxedProgram, type BoxKind, type BoxProbe } from "./types.ts";

/** A container engine is a service that may be slow to answer the first time. */
const PROBE_MS = 30_000;
const REMOVE_MS = 30_000;
/** The workspace may be large, and the engine far away. */
const COPY_MS = 600_000;
const MAX_FILES = 16_384;
const MAX_PROCESSES = 4096;
const ALWAYS = "--interactive --read-only --cap-drop=ALL --security-opt=no-new-privileges --pull=never".split(
  " ",
);
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

/** Returns the arguments of `run` up to the image. */
export function containerArguments(
  engine: string,
  { cwd, environment }: BoxedProgram,
  { workspace, readable, hidden = [], hasNetwork, limits, isShielded, copies, image, ownFolder }: Box,
): readonly string[] {
  const { HOME: home = "/", ...variables } = environment;
  const size = limits?.tmpBytes === undefined ? "" : `,size=${limits.tmpBytes}`;
  const tmpfs = (path: string): readonly string[] => [
    "--tmpfs",
    `${path}:rw,exec,nosuid,nodev,mode=1777${size}`,
  ];
  const others = readable.filter((one) => !workspace.includes(one));
  const readOnly = image === undefined ? [...systemFolders(), ...settingsOf(hasNetwork), ...others] : [];
  return [
    ...ALWAYS,
    ...hardening(engine, ownFolder),
    ...(isShielded === true ? [`--cap-add=${SHIELD}`] : []),
    `--network=${hasNetwork ? "host" : "none"}`,
    ...ulimits(),
    ...(engine === "docker" ? ["--user", `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`] : []),
    ...(limits === undefined
      ? []
      : ["--pids-limit", String(limits.processes), "--memory", String(limits.memoryBytes)]),
    ...tmpfs("/tmp"),
    ...(home === "/" ? [] : tmpfs(home)),
    ...readOnly.filter((one) => existsSync(one)).flatMap((one) => volume(one, one, "ro")),
    ...workspace.flatMap((folder) => volume(copies?.get(folder) ?? folder, folder, "rw")),
    ...protectedPaths(workspace)
      .filter((one) => existsSync(one))
      .flatMap((one) => volume(one, one, "ro")),
    ...hidden.flatMap((path) => hide(path, engine)),
    // By name: values are not shown in the list of processes.
    ...Object.keys({ ...variables, TMPDIR: "" }).flatMap((name) => ["--env", name]),
    `--env=HOME=${home}`,
    `--workdir=${cwd}`,
    image ?? rootImage(),
  ];
}

/** Returns the options for the filter of system calls, stored in a folder of the sandbox's own, and for what only podman can cover. */
function hardening(engine: string, ownFolder: string | undefined): readonly string[] {
  const masks =
    engine === "podman" && process.platform === "linux"
      ? ["--security-opt", `mask=${kernelPathsToMask().join(":")}`]
      : [];
  const profile = containerProfile(process.arch);
  if (ownFolder === undefined || profile === undefined) return masks;
  const file = join(ownFolder, "seccomp.json");
  writeFileSync(file, profile);
  return [...masks, "--security-opt", `seccomp=${file}`];
}

/** Limits that this process may set: an engine asks for more by default, which it may be refused. */
function ulimits(): readonly string[] {
  const text = attempt(() => readFileSync("/proc/self/limits", "utf8")) ?? "";
  const option = (name: string, line: RegExp, wanted: number): readonly string[] => {
    const [, hard] = line.exec(text) ?? [];
    if (hard === undefined) return [];
    const value = hard === "unlimited" ? wanted : Math.min(wanted, Number(hard));
    return ["--ulimit", `${name}=${value}:${value}`];
  };
  return [
    ...option("nofile", /^Max open files +\S+ +(\S+)/m, MAX_FILES),
    ...option("nproc", /^Max processes +\S+ +(\S+)/m, MAX_PROCESSES),
  ];
}

function volume(from: string, to: string, mode: "ro" | "rw"): readonly string[] {
  if (`${from}${to}`.includes(","))
    throw new ToolError("UNAVAILABLE", `no sandbox is available: containers cannot mount ${from}`, {
      hint: "rename the folder so that its path has no comma",
    });
  const option = `type=bind,source=${from},destination=${to}`;
  return ["--mount", mode === "ro" ? `${option},readonly` : option];
}

/** Covers a folder by an empty one, and a file by an empty one. */
function hide(path: string, engine: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return volume("/dev/null", path, "ro");
  // Podman copies what a tmpfs covers into it, unless it is told not to; docker does not, and does not know the option.
  return ["--tmpfs", `${path}:ro,size=4096${engine === "podman" ? ",notmpcopyup" : ""}`];
}

function systemFolders(): readonly string[] {
  return SYSTEM.filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true);
}

function settingsOf(hasNetwork: boolean): readonly string[] {
  return [...SETTINGS, ...(hasNetwork ? NETWORK_SETTINGS : [])].map((name) => `/etc/${name}`);
}

/** The links in the root folder, such as `/bin` to `usr/bin`, which are all that the image contains. */
function rootLinks(): readonly (readonly [path: string, target: string])[] {
  return SYSTEM.flatMap((folder) =>
    lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? [[folder, readlinkSync(folder)] as const]
      : [],
  );
}

function rootImage(): string {
  const hash = loadCrypto().hash("sha256", JSON.stringify(rootLinks()));
  return `localhost/toolwright-root:${hash.slice(0, 12)}`;
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
