import { lstatSync, statSync, writeFileSync, existsSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { loadCrypto } from "../crypto.ts";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { containerProfile } from "./filter/container-profile.ts";
import { NETWORK_SETTINGS, SETTINGS, SYSTEM } from "./system-folders.ts";
import { kernelPathsToMask } from "./kernel-files.ts";
import { SHIELD } from "./shield.ts";
import { protectedPaths, type Box, type BoxedProgram } from "./types.ts";

const MAX_FILES = 16_384;
const MAX_PROCESSES = 4096;
const ALWAYS = "--interactive --read-only --cap-drop=ALL --security-opt=no-new-privileges --pull=never".split(
  " ",
);

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
export function rootLinks(): readonly (readonly [path: string, target: string])[] {
  return SYSTEM.flatMap((folder) =>
    lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? [[folder, readlinkSync(folder)] as const]
      : [],
  );
}

/** The name of the image for the links of this machine. */
export function rootImage(): string {
  const hash = loadCrypto().hash("sha256", JSON.stringify(rootLinks()));
  return `localhost/toolwright-root:${hash.slice(0, 12)}`;
}
