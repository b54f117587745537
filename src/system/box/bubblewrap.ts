import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { runProcess } from "../process/process.ts";

/** The resources that a sandboxed program may access. */
export interface Box {
  /** The PATH on which programs, including `bwrap`, are found. */
  readonly path: string;
  /** Writable folders. */
  readonly workspace: readonly string[];
  /** Read-only files and folders, in addition to those that every program needs. */
  readonly readable: readonly string[];
  readonly hasNetwork: boolean;
}

export interface BoxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Whether sandboxes work on this machine; if not, why and what to do. */
export type BoxProbe =
  | { readonly works: true; readonly bwrap: string }
  | { readonly works: false; readonly reason: string; readonly hint: string };

/** Programs and libraries, and the settings needed to start programs, resolve names and trust certificates. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
const SETTINGS =
  "alternatives ca-certificates ca-certificates.conf group hosts ld.so.cache ld.so.conf ld.so.conf.d localtime nsswitch.conf passwd pki protocols resolv.conf services ssl".split(
    " ",
  );
/**
 * Read-only paths in a workspace: files that run outside the sandbox or grant permissions. All of `.git`, because its config
 * and hooks name programs, and other files in it name configs.
 */
export const PROTECTED: readonly string[] = [".git", ".toolwright", ".mcp.json"];

const PROBE_MS = 5000;
const SPACES_HINT =
  "unprivileged user namespaces may be switched off: see kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, or the container's own limits";

/**
 * Returns the same program inside bubblewrap, with its own process namespace, an empty /tmp and home, a writable workspace,
 * and read-only system folders. It is killed when this process ends. Rejects with `UNAVAILABLE` if bubblewrap does not work;
 * never returns the program without a sandbox.
 */
export async function intoBox(program: BoxedProgram, box: Box): Promise<BoxedProgram> {
  const probe = await probeBubblewrap(box.path);
  if (!probe.works)
    throw new ToolError("UNAVAILABLE", `no sandbox is available: ${probe.reason}`, { hint: probe.hint });
  if (box.workspace.includes("/"))
    throw new ToolError("UNAVAILABLE", "no sandbox is available: the workspace is the whole disk", {
      hint: "use a folder as the workspace",
    });
  // Only the sandboxed program may see LD_* variables: bubblewrap itself would load the libraries outside the sandbox.
  const [loading, environment] = partition(program.environment, (name) => name.startsWith("LD_"));
  const setenv = loading.flatMap(([name, value]) => ["--setenv", name, value]);
  return {
    file: probe.bwrap,
    args: [...bubblewrapArguments(program, box), ...setenv, "--", program.file, ...program.args],
    cwd: "/",
    environment: { ...Object.fromEntries(environment), TMPDIR: "/tmp" },
  };
}

type Variable = readonly [name: string, value: string];

function partition(
  environment: BoxedProgram["environment"],
  isFirst: (name: string) => boolean,
): readonly [readonly Variable[], readonly Variable[]] {
  const variables = Object.entries(environment);
  return [variables.filter(([name]) => isFirst(name)), variables.filter(([name]) => !isFirst(name))];
}

/** Returns the arguments of bubblewrap; later mounts cover earlier ones. */
export function bubblewrapArguments(
  { file, cwd, environment }: BoxedProgram,
  { path, workspace, readable, hasNetwork }: Box,
): readonly string[] {
  const { HOME: home } = environment;
  // Starting in the root folder must not expose the whole disk; every sandbox has a root.
  const folders = cwd === "/" ? readable : [...readable, cwd];
  const visible = folders.filter((one) => existsSync(one));
  const shielded = workspace
    .flatMap((folder) => PROTECTED.map((name) => join(folder, name)))
    .filter((one) => existsSync(one));
  return [
    ...SPACES,
    ...(hasNetwork ? ["--share-net"] : []),
    ...SYSTEM_MOUNTS,
    ...(home === undefined || home === "/" ? [] : ["--tmpfs", home]),
    ...programMount(findProgram(file, path)),
    ...visible.flatMap((one) => ["--ro-bind", one, one]),
    ...workspace.flatMap((folder) => ["--bind", folder, folder]),
    ...shielded.flatMap((one) => ["--ro-bind", one, one]),
    "--chdir",
    cwd,
  ];
}

/** Mounts only the program file itself: the files next to it may be private. */
function programMount(found: string | undefined): readonly string[] {
  if (found === undefined) return [];
  const real = realpathSync(found);
  const isVisible = (one: string): boolean => SYSTEM.some((folder) => one.startsWith(`${folder}/`));
  if (!isVisible(found)) return ["--ro-bind", real, found];
  return isVisible(real) ? [] : ["--ro-bind", real, real];
}

/** No capabilities: root has no privileges in the sandbox. */
const SPACES = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"];

const SYSTEM_MOUNTS = [
  ...[...SYSTEM, ...SETTINGS.map((name) => `/etc/${name}`)].flatMap((one) => ["--ro-bind-try", one, one]),
  "--proc",
  "/proc",
  "--dev",
  "/dev",
  "--tmpfs",
  "/tmp",
];

/** Checks that bubblewrap works by running `true` in it. */
export async function probeBubblewrap(path: string): Promise<BoxProbe> {
  const hint =
    'install bubblewrap (package bubblewrap), or remove "sandbox" from its settings to run it without a sandbox';
  if (process.platform !== "linux") return { works: false, reason: "bubblewrap is for Linux", hint };
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined) return { works: false, reason: "bubblewrap is not installed", hint };
  let output = "";
  const running = runProcess({
    file: bwrap,
    args: [...SPACES, ...SYSTEM_MOUNTS, "--", "true"],
    cwd: "/",
    env: { PATH: path },
    signal: AbortSignal.timeout(PROBE_MS),
    onOutput: ({ text }) => void (output = `${output}${text}`.slice(-MAX_OUTPUT)),
  });
  const { exitCode } = await running.catch((error: unknown) => ({ exitCode: null, error }));
  if (exitCode === 0) return { works: true, bwrap };
  return {
    works: false,
    reason: `bubblewrap does not work here: ${output.trim() || "it failed without output"}`,
    hint: SPACES_HINT,
  };
}

const MAX_OUTPUT = 500;

/** Returns the file of a program on the PATH; undefined if there is none. */
function findProgram(name: string, path: string): string | undefined {
  if (name.includes("/")) return isProgram(name) ? name : undefined;
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
