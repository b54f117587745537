import { existsSync, lstatSync, readlinkSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { isWithin, outermost } from "../../util/text/paths/is-within.ts";
import { createRunner } from "./create-runner.ts";
import { findProgram } from "./find-program.ts";
import { intoCgroup } from "./cgroup.ts";
import { seccompFilter } from "./filter/seccomp-filter.ts";
import { CHECK, coverProc, describeHole, parseCheck } from "./kernel-files.ts";
import { limited } from "./limits.ts";
import { isProxied, proxyMounts, throughProxy } from "./relay.ts";
import { SHIELD } from "./shield.ts";
import { NETWORK_SETTINGS, SETTINGS, SYSTEM } from "./system-folders.ts";
import { protectedPaths, type Box, type BoxedProgram, type BoxKind, type BoxProbe } from "./types.ts";

const PROBE_MS = 5000;
const INSTALL_HINT = "install bubblewrap (package bubblewrap)";
const HOLE_HINT = "run as a user other than root, or use a newer bubblewrap";
const NAMESPACES_HINT =
  "unprivileged user namespaces may be switched off: see kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, or the container's own limits";

/**
 * Sandboxes of Linux: a process namespace of its own, an empty /tmp and home, no network unless it is shared, and only the
 * system folders and those of the box.
 */
export const bubblewrap: BoxKind = {
  probe: probeBubblewrap,
  wrap(program, box, { program: creator, hasSizes = false, hasFilter = false }) {
    const inner = throughProxy(program, box);
    // Only the sandboxed program may see LD_* variables: bubblewrap itself would load the libraries outside the sandbox.
    const [loading, environment] = partition(inner.environment, (name) => name.startsWith("LD_"));
    const setenv = loading.flatMap(([name, value]) => ["--setenv", name, value]);
    const { file, args } = limited(inner, box.limits);
    const shield = box.isShielded === true ? ["--cap-add", SHIELD] : [];
    const sizes = hasSizes ? sizedMounts(program, box) : [];
    const outer = {
      file: creator,
      args: [...bubblewrapArguments(program, box, sizes), ...setenv, ...shield, "--", file, ...args],
      cwd: "/",
      environment: { ...Object.fromEntries(environment), TMPDIR: "/tmp" },
    };
    return intoCgroup(hasFilter ? filtered(outer, box) : outer, box.limits);
  },
};

/** The first one behind the standard input and outputs, and one that no launcher uses. */
const FILTER_DESCRIPTOR = "3";
const SHELL_DESCRIPTOR = "9";

/** Returns bubblewrap with the filter of system calls, as an input, or through a shell that opens a file: nothing else of a program is inherited. */
function filtered(program: BoxedProgram, { allowsUserNamespaces, filterFile }: Box): BoxedProgram {
  const filter = seccompFilter(process.arch, allowsUserNamespaces);
  if (filter === undefined) return program;
  if (filterFile === undefined)
    return { ...program, args: ["--seccomp", FILTER_DESCRIPTOR, ...program.args], inputs: [filter] };
  writeFileSync(filterFile, filter);
  const opening = `exec ${SHELL_DESCRIPTOR}<"$1"; shift; exec "$@"`;
  const line = [program.file, "--seccomp", SHELL_DESCRIPTOR, ...program.args];
  return { ...program, file: "/bin/sh", args: ["-c", opening, "sh", filterFile, ...line] };
}

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
  box: Box,
  sizes: readonly string[] = [],
): readonly string[] {
  const { path, workspace, readable, hidden = [], hasNetwork, copies, isUnprivileged = false } = box;
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
    ...(hasNetwork ? ["--share-net"] : []),
    ...(hasNetwork || isProxied(box) ? settings(NETWORK_SETTINGS) : []),
    ...systemMounts(box.allowsUserNamespaces),
    ...(sizes.length > 0
      ? sizes
      : ["/tmp", ...(home === undefined || home === "/" ? [] : [home])].flatMap((one) => ["--tmpfs", one])),
    ...programMount(findProgram(file, path ?? environment["PATH"] ?? "")),
    ...proxyMounts(box),
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
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isDirectory() ? ["--tmpfs", path, "--remount-ro", path] : ["--ro-bind", "/dev/null", path];
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

/**
 * Returns what every sandbox has. Each mount takes time, so a folder that is a link stays one: `/bin` to `usr/bin`. A new user namespace is set up by
 * files of the process in /proc, which can be written then.
 */
function systemMounts(allowsUserNamespaces = false): readonly string[] {
  mounts ??= [
    ...SYSTEM.flatMap((folder) => {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      if (stats === undefined) return [];
      return stats.isSymbolicLink()
        ? ["--symlink", readlinkSync(folder), folder]
        : ["--ro-bind", folder, folder];
    }),
    ...settings(SETTINGS),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return [...mounts, ...coverProc(allowsUserNamespaces)];
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
  const filter = seccompFilter(process.arch);
  let reason = "";
  // A bubblewrap before 0.7 refuses sizes, and some kernels have no filters.
  for (const hasFilter of filter === undefined ? [false] : [true, false])
    for (const hasSizes of [true, false]) {
      const sized = hasSizes ? ["--size", "4096", "--tmpfs", "/tmp"] : [];
      const filters = hasFilter ? ["--seccomp", FILTER_DESCRIPTOR] : [];
      const line = [...NAMESPACES, ...filters, ...systemMounts(), ...sized, "--", ...CHECK];
      const { isOk, output } = await run(line, hasFilter && filter !== undefined ? [filter] : []);
      const checked = parseCheck(output);
      if (checked !== undefined && checked.open.length > 0)
        return {
          works: false,
          reason: `bubblewrap does not hold here: ${describeHole(checked)}`,
          hint: HOLE_HINT,
        };
      if (isOk && checked !== undefined)
        return { works: true, program, hasSizes, hasFilter: checked.hasFilter };
      reason ||= output;
    }
  return { works: false, reason: `bubblewrap does not work here: ${reason}`, hint: NAMESPACES_HINT };
}
