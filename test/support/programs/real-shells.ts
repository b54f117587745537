import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ShellName = "bash" | "dash";

/** For a test's `skip` option: false where the shell is installed, else the reason. */
export function without(shell: ShellName): string | false {
  return existsSync(`/bin/${shell}`) ? false : `${shell} is not installed`;
}

/** What one command was started with. */
export interface Started {
  readonly argv: readonly string[];
  /** Where it was started. */
  readonly folder: string;
}

/** What a shell did with a text. */
export interface ShellRun {
  /** Where the text was started. */
  readonly folder: string;
  readonly started: readonly Started[];
  /** Files it left there and below. */
  readonly files: readonly string[];
  /** A `cd` did not find its folder. */
  readonly isLost: boolean;
}

/** Once with every command succeeding, once with every command failing: each command runs in at least one of them. */
export interface ShellRuns {
  readonly succeeding: ShellRun;
  readonly failing: ShellRun;
}

/**
 * Has a real shell run each text where no program exists: what would be started is written down instead. Each text
 * begins in a folder that has the folders `a/b` and `b`. One process runs them all, since starting one is dear: by
 * `eval`, which in both shells reads a text with the code that reads it after `-c`. Dash tells only of the commands
 * named in `programs`; bash of every one.
 */
export function runInShell(
  shell: ShellName,
  texts: readonly string[],
  programs: readonly string[],
): readonly ShellRuns[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-shell-")));
  try {
    const runs = texts.map((text, index) => `run ${index} ${folderFor(root, text, index)} ${quoted(text)}`);
    writeFileSync(join(root, "driver"), [driverFor(shell, programs), ...runs, "command exit 0"].join("\n"));
    const { status } = spawnSync(`/bin/${shell}`, ["driver"], {
      cwd: root,
      env: { PATH: "/nowhere", ROOT: root, HOME: "/home" },
      stdio: "ignore",
    });
    const records = readLog(join(root, "log"));
    if (status !== 0) throw new Error(`${shell} ended at ${JSON.stringify(texts[records.length - 1])}`);
    return records;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Only a text that may write needs a folder of its own. */
function folderFor(root: string, text: string, index: number): string {
  const name = text.includes(">") ? String(index) : "shared";
  if (existsSync(join(root, `${name}.0`))) return name;
  for (const status of [0, 1]) {
    for (const folder of ["a/b", "b"])
      mkdirSync(join(root, `${name}.${status}`, folder), { recursive: true });
  }
  return name;
}

/** The builtins that change nothing are taken for programs; `cd` goes where it goes. */
const STOOD_IN = ": [ dirs echo exit false kill popd printf pushd pwd test times true type ulimit umask wait";

function driverFor(shell: ShellName, programs: readonly string[]): string {
  const own = shell === "bash" ? "builtin" : "command";
  const names = shell === "bash" ? [...programs, ...STOOD_IN.split(" ")] : programs;
  return `
    exec 9>>log
    record() { ${own} printf '%s\\0' "$#" "$@" >&9; }
    note() { record ran "$PWD" "$@"; return $STATUS; }
    ${names.map((name) => `${name}() { note '${name}' "$@"; }`).join("\n")}
    command_not_found_handle() { note "$@"; }
    cd() {
      note cd "$@" || return 1
      ${own} cd "$@" && return 0
      record lost
      return 1
    }
    run() {
      for STATUS in 0 1; do
        record run "$1" "$STATUS" "$ROOT/$2.$STATUS"
        ${own} cd "$ROOT/$2.$STATUS"
        OLDPWD=$ROOT
        eval "$3" </dev/null
        case $3 in *'&'*) ${own} wait ;; esac
      done
    }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The log has records of the number of fields and the fields, each ended by NUL. */
function readLog(path: string): readonly ShellRuns[] {
  const fields = readFileSync(path, "utf8").split("\0");
  const runs: ShellRuns[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const first = readRun(fields, at);
    const second = readRun(fields, first.end);
    runs.push({ succeeding: first, failing: second });
    at = second.end;
  }
  return runs;
}

function readRun(fields: readonly string[], start: number): ShellRun & { readonly end: number } {
  const started: Started[] = [];
  const folder = fields[start + 4] ?? "";
  let isLost = false;
  let at = start + 5;
  while (at + 1 < fields.length && fields[at + 1] !== "run") {
    const [what, folder = "", ...argv] = fields.slice(at + 1, at + 1 + Number(fields[at]));
    if (what === "lost") isLost = true;
    else started.push({ argv, folder });
    at += 1 + Number(fields[at]);
  }
  return { folder, started, files: filesIn(folder), isLost, end: at };
}

function filesIn(folder: string): readonly string[] {
  if (folder === "" || folder.includes("/shared.")) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name));
}
