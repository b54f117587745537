import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { isWithin, outermost } from "../../util/text/is-within.ts";
import { createRunner } from "./create-runner.ts";
import { findProgram } from "./find-program.ts";
import { intoCgroup } from "./cgroup.ts";
import { limited } from "./limits.ts";
import { refuseDomains } from "./refuse.ts";
import { SHIELD } from "./shield.ts";
import { protectedPaths, type Box, type BoxedProgram, type BoxKind, type BoxProbe } from "./types.ts";

/** Programs and libraries, the settings needed to start programs, and those needed to resolve names and trust certificates. */
export const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
export const SETTINGS = ["alternatives", "group", "ld.so.cache", "localtime", "nsswitch.conf", "passwd"];
export const NETWORK_SETTINGS =
  "ca-certificates ca-certificates.conf hosts pki protocols resolv.conf services ssl".split(" ");
const PROBE_MS = 5000;
const INSTALL_HINT = "install bubblewrap (package bubblewrap)";
const NAMESPACES_HINT =
  "unprivileged user namespaces may be switched off: see kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, or the container's own limits";

/**
 * Sandboxes of Linux: a process namespace of its own, an empty /tmp and home, no network unless it is shared, and only the
 * system folders and those of the box.
 */
export const bubblewrap: BoxKind = {
  probe: probeBubblewrap,
  wrap(program, box, { program: creator, hasSizes = false }) {
    // Only the sandboxed program may see LD_* variables: bubblewrap itself would load the libraries outside the sandbox.
    const [loading, environment] = partition(program.environment, (name) => name.startsWith("LD_"));
    const setenv = loading.flatMap(([name, value]) => ["--setenv", name, value]);
    refuseDomains(box, "bubblewrap");
    const { file, args } = limited(program, box.limits);
    const shield = box.isShielded === true ? ["--cap-add", SHIELD] : [];
    const sizes = hasSizes ? sizedMounts(program, box) : [];
    return intoCgroup(
      {
        file: creator,
        args: [...bubblewrapArguments(program, box, sizes), ...setenv, ...shield, "--", file, ...args],
        cwd: "/",
        environment: { ...Object.fromEntries(environment), TMPDIR: "/tmp" },
      },
      box.limits,
    );
  },
};

type Variable = readonly [name: string, value: string];

function partition(
  environment: BoxedProgram["environment"],
  isFirst: (name: string) => boolean,
): readonly [readonly Variable[], readonly Variable[]] {
  const variables = Object.entries(environment);
  return [variables.filter(([name]) => isFirst(name)), variables.filter(([name]) => !isFirst(name))];
}

/** Replaces what programs can fill besides the workspace by folders of a limited size. */
function sizedMounts({ environment }: BoxedProgram, { limits }: Box): readonly string[] {
  const { tmpBytes } = limits ?? {};
  if (tmpBytes === undefined) return [];
  const { HOME: home = "/" } = environment;
  const folders = ["/tmp", "/dev/shm", ...(home === "/" ? [] : [home])];
  return folders.flatMap((folder) => ["--size", String(tmpBytes), "--tmpfs", folder]);
}

/**
 * Returns the arguments of bubblewrap; later mounts cover earlier ones. With `sizes`, which replace the usual /tmp and home, nothing
 * else of the sandbox's own file system can be written.
 */
export function bubblewrapArguments(
  { file, cwd, environment }: BoxedProgram,
  { path, workspace, readable, hidden = [], hasNetwork, copies, isUnprivileged = false }: Box,
  sizes: readonly string[] = [],
): readonly string[] {
  const { HOME: home } = environment;
  // Starting in the root folder must not expose the whole disk; every sandbox has a root.
  const folders = cwd === "/" || isIn(cwd, readable) ? readable : [...readable, cwd];
  // Each mount takes time: what is part of another one needs none.
  const visible = outermost(folders).filter(
    (one) => existsSync(one) && !isIn(one, [...SYSTEM, ...workspace]),
  );
  const shielded = protectedPaths(workspace).filter((one) => existsSync(one));
  return [
    ...NAMESPACES,
    ...(isUnprivileged ? ["--unshare-user", "--uid", "1000", "--gid", "1000"] : []),
    ...(hasNetwork ? ["--share-net", ...settings(NETWORK_SETTINGS)] : []),
    ...systemMounts(),
    ...(sizes.length > 0
      ? sizes
      : ["/tmp", ...(home === undefined || home === "/" ? [] : [home])].flatMap((one) => ["--tmpfs", one])),
    ...programMount(findProgram(file, path ?? environment["PATH"] ?? "")),
    ...visible.flatMap((one) => ["--ro-bind", one, one]),
    ...workspace.flatMap((folder) => ["--bind", copies?.get(folder) ?? folder, folder]),
    ...shielded.flatMap((one) => ["--ro-bind", one, one]),
    ...hidden.flatMap(hide),
    ...(sizes.length === 0 ? [] : ["--remount-ro", "/dev", "--remount-ro", "/"]),
    "--chdir",
    cwd,
  ];
}

function isIn(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isWithin(path, folder));
}

/** Covers a folder by an empty one, and a file by an empty one. */
function hide(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
}

/** Mounts only the program file itself: the files next to it may be private. */
function programMount(found: string | undefined): readonly string[] {
  if (found === undefined) return [];
  const real = realpathSync(found);
  const isVisible = (one: string): boolean => isIn(one, SYSTEM);
  if (!isVisible(found)) return ["--ro-bind", real, found];
  return isVisible(real) ? [] : ["--ro-bind", real, real];
}

/** No capabilities: root has no privileges in the sandbox. */
const NAMESPACES = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];

let mounts: readonly string[] | undefined;

/** Returns what every sandbox has. Each mount takes time, so a folder that is a link stays one: `/bin` to `usr/bin`. */
function systemMounts(): readonly string[] {
  mounts ??= [
    ...SYSTEM.flatMap((folder) => {
      const found = lstatSync(folder, { throwIfNoEntry: false });
      if (found === undefined) return [];
      return found.isSymbolicLink()
        ? ["--symlink", readlinkSync(folder), folder]
        : ["--ro-bind", folder, folder];
    }),
    ...settings(SETTINGS),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return mounts;
}

function settings(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]);
}

async function probeBubblewrap(path: string): Promise<BoxProbe> {
  if (process.platform !== "linux")
    return {
      works: false,
      reason: `there is no bubblewrap on ${process.platform}`,
      hint: "use auto, or seatbelt on macOS",
    };
  const program = findProgram("bwrap", path);
  if (program === undefined)
    return { works: false, reason: "bubblewrap is not installed", hint: INSTALL_HINT };
  const run = createRunner(program, { PATH: path }, PROBE_MS);
  let reason = "";
  // A bubblewrap before 0.7 refuses sizes.
  for (const hasSizes of [true, false]) {
    const sized = hasSizes ? ["--size", "4096", "--tmpfs", "/tmp"] : [];
    const { isOk, output } = await run([...NAMESPACES, ...systemMounts(), ...sized, "--", "true"]);
    if (isOk) return { works: true, program, hasSizes };
    reason = output;
  }
  return { works: false, reason: `bubblewrap does not work here: ${reason}`, hint: NAMESPACES_HINT };
}
