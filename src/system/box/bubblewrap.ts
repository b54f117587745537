import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { runProcess } from "../process/process.ts";

/** What a program in a box may reach. */
export interface Box {
  /** Where programs are found, `bwrap` among them. */
  readonly path: string;
  /** Folders that it may change. */
  readonly workspace: readonly string[];
  /** Files and folders that it may only read, besides what every program needs. */
  readonly readable: readonly string[];
  readonly hasNetwork: boolean;
}

export interface BoxedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Whether boxes can be made here; where not, why, and what to do about it. */
export type BoxProbe =
  | { readonly works: true; readonly bwrap: string }
  | { readonly works: false; readonly reason: string; readonly hint: string };

/** Programs and libraries, and of the settings those without which programs do not start, resolve names or trust certificates. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
const SETTINGS = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "group",
  "hosts",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "localtime",
  "nsswitch.conf",
  "passwd",
  "pki",
  "protocols",
  "resolv.conf",
  "services",
  "ssl",
];
/**
 * In a workspace: what would run outside of the box, or says what may. Git whole: its config names programs as its hooks do, and one
 * more file in it names another config.
 */
const PROTECTED = [".git", ".toolwright", ".mcp.json"];

const PROBE_MS = 5000;
const SPACES_HINT =
  "unprivileged user namespaces may be switched off: see kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns, or the container's own limits";

/**
 * The same program inside bubblewrap: its own processes, an empty /tmp and home, the workspace to change, and nothing else of the disk
 * but what programs need. It ends with us. Rejects with `UNAVAILABLE` where that cannot be; never gives the program unboxed.
 */
export async function intoBox(program: BoxedProgram, box: Box): Promise<BoxedProgram> {
  const probe = await probeBubblewrap(box.path);
  if (!probe.works)
    throw new ToolError("UNAVAILABLE", `there is no box for it: ${probe.reason}`, { hint: probe.hint });
  if (box.workspace.includes("/"))
    throw new ToolError("UNAVAILABLE", "there is no box for it: the workspace is the whole disk", {
      hint: "work in a folder",
    });
  // What says which libraries a program loads is for the one inside: bubblewrap itself would load them outside.
  const [loading, environment] = parted(program.environment, (name) => name.startsWith("LD_"));
  const given = loading.flatMap(([name, value]) => ["--setenv", name, value]);
  return {
    file: probe.bwrap,
    args: [...bubblewrapArguments(program, box), ...given, "--", program.file, ...program.args],
    cwd: "/",
    environment: { ...Object.fromEntries(environment), TMPDIR: "/tmp" },
  };
}

type Variable = readonly [name: string, value: string];

function parted(
  environment: BoxedProgram["environment"],
  isFirst: (name: string) => boolean,
): readonly [readonly Variable[], readonly Variable[]] {
  const variables = Object.entries(environment);
  return [variables.filter(([name]) => isFirst(name)), variables.filter(([name]) => !isFirst(name))];
}

/** What bubblewrap is told; later mounts lie over earlier ones. */
export function bubblewrapArguments(
  { file, cwd, environment }: BoxedProgram,
  { path, workspace, readable, hasNetwork }: Box,
): readonly string[] {
  const { HOME: home } = environment;
  // The whole disk is not what a folder to start in is meant to open, and every box has one.
  const folders = cwd === "/" ? readable : [...readable, cwd];
  const seen = folders.filter((one) => existsSync(one));
  const shielded = workspace
    .flatMap((folder) => PROTECTED.map((name) => join(folder, name)))
    .filter((one) => existsSync(one));
  return [
    ...SPACES,
    ...(hasNetwork ? ["--share-net"] : []),
    ...SYSTEM_MOUNTS,
    ...(home === undefined || home === "/" ? [] : ["--tmpfs", home]),
    ...programMount(findProgram(file, path)),
    ...seen.flatMap((one) => ["--ro-bind", one, one]),
    ...workspace.flatMap((folder) => ["--bind", folder, folder]),
    ...shielded.flatMap((one) => ["--ro-bind", one, one]),
    "--chdir",
    cwd,
  ];
}

/** A program from elsewhere is seen alone: what lies beside it may be somebody's home. */
function programMount(found: string | undefined): readonly string[] {
  if (found === undefined) return [];
  const real = realpathSync(found);
  const isSeen = (one: string): boolean => SYSTEM.some((folder) => one.startsWith(`${folder}/`));
  if (!isSeen(found)) return ["--ro-bind", real, found];
  return isSeen(real) ? [] : ["--ro-bind", real, real];
}

/** No capabilities: root in the box is nobody in particular. */
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

/** Makes a box, and says what came of it. */
export async function probeBubblewrap(path: string): Promise<BoxProbe> {
  const hint = 'install bubblewrap (package bubblewrap), or run it without a box: take its "sandbox" out';
  if (process.platform !== "linux") return { works: false, reason: "bubblewrap is for Linux", hint };
  const bwrap = findProgram("bwrap", path);
  if (bwrap === undefined) return { works: false, reason: "bubblewrap is not installed", hint };
  let said = "";
  const trying = runProcess({
    file: bwrap,
    args: [...SPACES, ...SYSTEM_MOUNTS, "--", "true"],
    cwd: "/",
    env: { PATH: path },
    signal: AbortSignal.timeout(PROBE_MS),
    onOutput: ({ text }) => void (said = `${said}${text}`.slice(-MAX_WORDS)),
  });
  const { exitCode } = await trying.catch((error: unknown) => ({ exitCode: null, error }));
  if (exitCode === 0) return { works: true, bwrap };
  return {
    works: false,
    reason: `bubblewrap does not work here: ${said.trim() || "it did not end well"}`,
    hint: SPACES_HINT,
  };
}

const MAX_WORDS = 500;

/** The file that a name stands for on a path; undefined where there is none. */
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
