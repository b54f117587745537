import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { quote } from "../terminal/boot.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { defined } from "../../util/json/defined.ts";
import { loadRipgrep } from "../native-packages.ts";
import { packageFile } from "../package-files.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { NETWORK_SETTINGS, SETTINGS, SYSTEM } from "./system-folders.ts";
import { intoCgroup } from "./cgroup.ts";
import { seccompFilter } from "./filter/seccomp-filter.ts";
import { findProgram } from "./find-program.ts";
import { coverProc } from "./kernel-files.ts";
import { limited } from "./limits.ts";
import { copyLoader, throughLoader } from "./loader.ts";
import { refuseCopies } from "./refuse.ts";
import { seatbelt } from "./seatbelt.ts";
import { protectedPaths, type Box, type BoxedProgram, type BoxKind, type BoxProbe } from "./types.ts";

const PACKAGE = "@anthropic-ai/sandbox-runtime";
const INSTALL = `install it beside toolwright: npm install ${PACKAGE}, with -g if toolwright was installed with it`;
/** Of the system itself, and what the sandbox has of its own. */
const SHOWN: ReadonlySet<string> = new Set(["/proc", "/dev", "/sys", ...SYSTEM]);
/** Folders of macOS with files of users. */
const MAC_HIDDEN = ["/Users", "/Volumes", "/private/tmp", "/private/var/folders"];

/**
 * Sandboxes of the package `@anthropic-ai/sandbox-runtime`, which uses bubblewrap or Seatbelt and has proxies that let programs reach
 * single domains. It is a program of its own here: its state is one for a process, and it writes to the current folder.
 */
export const srt: BoxKind = {
  probe: probeSrt,
  async wrap(program, box, { program: cli, creator }) {
    refuseCopies(box, "srt");
    if (box.hasNetwork)
      throw new ToolError(
        "UNAVAILABLE",
        "no sandbox is available: srt reaches only the domains that are listed",
        { hint: "list them as sandboxOptions.domains, or use another sandbox" },
      );
    const { ownFolder } = box;
    if (ownFolder === undefined) throw new Error("srt needs a folder for its settings");
    const settings = join(ownFolder, "srt.json");
    const { rgPath } = await loadRipgrep();
    // It puts the sockets of its proxies there, whose paths must be short.
    const proxies = mkdtempSync(`/tmp/toolwright-srt-${process.pid}-`);
    try {
      const bwrapPath = creator === undefined ? undefined : writeCreator(creator, proxies);
      const own = { ripgrep: { command: rgPath }, ...defined({ bwrapPath }) };
      writeFileSync(settings, JSON.stringify({ ...srtSettings(program, box, proxies), ...own }));
      const started = box.isShielded === true ? throughLoader(program, proxies) : program;
      const { file, args } = limited(started, box.limits);
      const command = `cd ${quote(program.cwd)} && TMPDIR=/tmp exec ${[file, ...args].map(quote).join(" ")}`;
      return intoCgroup(
        {
          file: process.execPath,
          args: [cli, "--settings", settings, "-c", command],
          // It protects names in its own folder by files that it creates there.
          cwd: ownFolder,
          environment: { ...program.environment, TMPDIR: proxies },
          atEnd: () => rm(proxies, { recursive: true, force: true }),
        },
        box.limits,
      );
    } catch (error) {
      rmSync(proxies, { recursive: true, force: true });
      throw error;
    }
  },
};

/** Returns the settings of a sandbox: reading is allowed unless it is denied, writing is denied unless it is allowed. */
function srtSettings({ environment, cwd }: BoxedProgram, box: Box, proxies: string): object {
  const { workspace, readable, hidden = [], domains = [] } = box;
  const { HOME: home } = environment;
  const isMac = process.platform === "darwin";
  const etc = [...SETTINGS, ...(domains.length === 0 ? [] : NETWORK_SETTINGS)].map((name) => `/etc/${name}`);
  const isWritable = (path: string): boolean => workspace.some((folder) => isWithin(path, folder));
  const readablePaths = [...(isMac ? [] : etc), ...readable, cwd, proxies].filter(
    (path) => existsSync(path) && !isWritable(path),
  );
  return {
    network: {
      allowedDomains: domains,
      deniedDomains: [],
      allowLocalBinding: true,
      // Those of the host are in folders that are denied.
      allowAllUnixSockets: true,
    },
    filesystem: {
      denyRead: [...(isMac ? MAC_HIDDEN : topFolders()), ...(home === undefined ? [] : [home]), ...hidden],
      allowRead: isMac ? [...readablePaths, ...workspace] : readablePaths,
      allowWrite: workspace,
      denyWrite: protectedPaths(workspace).filter((path) => existsSync(path)),
    },
  };
}

/**
 * Writes a program that srt uses as bubblewrap: it adds what srt does not, the filter of system calls and the cover of /proc, without which root could
 * change the kernel's settings. It makes no sandbox whose /proc it cannot cover.
 */
function writeCreator(creator: string, folder: string): string {
  const [file, filterFile] = [join(folder, "bwrap"), join(folder, "filter")];
  const filter = seccompFilter(process.arch);
  if (filter !== undefined) writeFileSync(filterFile, filter);
  const opening = filter === undefined ? "" : `exec 9<${quote(filterFile)}; set -- --seccomp 9 "$@"`;
  const lines = [
    "#!/bin/sh",
    "before= makes= covered= ended=",
    'for one; do shift; set -- "$@" "$one"',
    '  [ "$one" = -- ] && ended=1',
    '  [ "$one" = --unshare-pid ] && makes=1',
    `  if [ "$before $one$ended" = "--proc /proc" ]; then set -- "$@" ${coverProc().join(" ")}; covered=1; fi`,
    "  before=$one",
    "done",
    '[ "$makes" = "$covered" ] || { echo "the sandbox of srt has no /proc of its own" >&2; exit 1; }',
    opening,
    `exec ${quote(creator)} "$@"`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o755 });
  return file;
}

/** Returns the folders in the root folder that are not parts of the system. */
function topFolders(): readonly string[] {
  return readdirSync("/")
    .map((name) => `/${name}`)
    .filter((path) => !SHOWN.has(path) && lstatSync(path).isDirectory());
}

async function probeSrt(path: string): Promise<BoxProbe> {
  const cli = findCli();
  if (cli === undefined)
    return { works: false, reason: `the package ${PACKAGE} is not installed`, hint: INSTALL };
  if (process.platform === "darwin") return withCli(cli, await seatbelt.probe(path));
  if (findProgram("socat", path) === undefined)
    return { works: false, reason: "socat is not installed", hint: "install socat (package socat)" };
  return withCli(cli, await bubblewrap.probe(path), canShield() ? undefined : WEAKNESS);
}

const WEAKNESS = "programs in it can read the memory of the tool server";

function canShield(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-loader-"));
  try {
    return copyLoader(process.execPath, folder) !== undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withCli(cli: string, probe: BoxProbe, weakness?: string): BoxProbe {
  if (!probe.works) return probe;
  const { program, hasFilter } = probe;
  const creator = process.platform === "linux" ? program : undefined;
  return { works: true, program: cli, ...defined({ creator, hasFilter, weakness }) };
}

/** Returns the program of the package, which is searched beside and above this package and nowhere else. */
function findCli(): string | undefined {
  for (let folder = packageFile(""); ; folder = dirname(folder)) {
    const cli = join(folder, "node_modules", PACKAGE, "dist/cli.js");
    if (existsSync(cli)) return cli;
    if (folder === dirname(folder)) return undefined;
  }
}
