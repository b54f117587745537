import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createPolicyCommands } from "../../../src/app/host/policy.ts";
import { resolveCommandPath } from "../../../src/app/host/resolve-command-path.ts";
import type { Fact } from "../../../src/core/fact.ts";
import type { Mode } from "../../../src/core/policy.ts";
import type { Verdict } from "../../../src/core/verdict.ts";
import type { Rule } from "../../../src/core/rule.ts";
import { createPolicy } from "../../../src/policy/policy.ts";
import type { Commands } from "../../../src/shell/syntax/command-knowledge.ts";
import { DISASTER_RULES } from "../../../src/shell/programs/disasters/disaster-rules.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { openBoundaryEngine } from "./boundary.ts";
import { call, textOf } from "../engines/engine.ts";
import { jobOf, SHELL } from "../engines/policy-jobs.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SECRET = "CANARY-workspace-4711";
const KEY = "CANARY-home-4711";

/** A line of `.env` or `sub/.env`, or its value alone; `secrets.txt` has the same value and is not protected. */
const PROTECTED_LINE = new RegExp(`(?:KEY|SUB)=${SECRET}|^${SECRET} ?${SECRET}?$`, "m");

/** The rules and the mode under which commands are tried. */
export interface Setting {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** What counts as an effect besides printing a file of the home: any change; one in this folder; printing the secret; the last two; printing a protected file. */
  readonly guards: "everything" | "victim" | "secret" | "denied" | "protected";
}

export interface Attempt {
  readonly command: string;
  readonly ran: boolean;
  /** What a command that ran without approval changed or printed; empty if it did not run. */
  readonly effects: readonly string[];
}

export interface EffectPlace {
  /** Judges a command and, if policy allows it, runs it in a fresh workspace. Never rejects because of the command. */
  attempt(command: string, setting: Setting): Promise<Attempt>;
}

/** Runs a command in the place if it is allowed; returns its output, or undefined if it did not run. */
type Run = (command: string, root: string, setting: Setting) => Promise<string | undefined>;

/**
 * Creates a workspace with secrets and a home outside of it. Commands that policy allows run there for real, in a
 * bubblewrap box around the whole place, so that nothing else on the machine can be changed or reached: this tries policy alone.
 */
export function createEffectPlace(context: TestContext): EffectPlace {
  return createPlace(context, async (command, root, setting) => {
    const home = join(root, "home");
    const place = { cwd: join(root, "work"), home, commands: createPolicyCommands(home) };
    const verdict = await judge(command, place, setting);
    return verdict.kind === "allow" ? runInBox(command, root) : undefined;
  });
}

/**
 * Creates the same place with an engine that believes every command to only read: each runs, in the engine's own sandbox, and
 * nothing but that sandbox protects.
 */
export function createSandboxPlace(context: TestContext): EffectPlace {
  const engines = new Map<Setting, Engine>();
  return createPlace(context, async (command, root, setting) => {
    const folders = {
      workspace: join(root, "work"),
      home: join(root, "home"),
      stateFolder: join(root, "state"),
    };
    const options = { proof: "wrong", mode: "auto", rules: setting.rules } as const;
    const engine = engines.get(setting) ?? openBoundaryEngine(folders, options);
    if (!engines.has(setting)) context.after(() => engine.close());
    engines.set(setting, engine);
    const input = { command, timeout: LIMIT_MS / 1000 };
    const result = await engine.run(call("shell", input), { session: "sandbox" });
    // Text that no command line can have.
    if (!result.ok && result.error.code === "INVALID_INPUT") return undefined;
    assert.equal(result.meta.place, "sandbox", command);
    return textOf(result);
  });
}

function createPlace(context: TestContext, run: Run): EffectPlace {
  const folder = temporaryFolder(context);
  const [root, template] = [join(folder, "root"), join(folder, "template")];
  build(template);
  cpSync(template, root, { recursive: true, verbatimSymlinks: true });
  const before = contentsOf(root);
  return {
    async attempt(written, setting) {
      const command = written.replaceAll("@HOME@", join(root, "home")).replaceAll("@ROOT@", root);
      const output = await run(command, root, setting);
      if (output === undefined) return { command: written, ran: false, effects: [] };
      const changed = changesSince(before, contentsOf(root));
      if (changed.length > 0) {
        rmSync(root, { recursive: true });
        cpSync(template, root, { recursive: true, verbatimSymlinks: true });
      }
      return { command: written, ran: true, effects: effectsOf(output, changed, setting) };
    },
  };
}

function build(root: string): void {
  const work = join(root, "work");
  for (const path of ["victim", "src", "sub", ".git"]) mkdirSync(join(work, path), { recursive: true });
  for (const path of ["home/.ssh", "state"]) mkdirSync(join(root, path), { recursive: true });
  const files: Readonly<Record<string, string>> = {
    "work/victim/v.txt": "v\n",
    "work/a.txt": "b\na\n",
    "work/README.md": "# read\n",
    "work/.env": `KEY=${SECRET}\n`,
    "work/sub/.env": `SUB=${SECRET}\n`,
    "work/secrets.txt": `${SECRET}\n`,
    "work/src/key.txt": "key\n",
    "work/payload": "touch PWN\n",
    "home/.ssh/id_rsa": `${KEY}\n`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  symlinkSync("../../home/.ssh", join(work, "src/data"));
  symlinkSync(".env", join(work, "elink"));
  rmSync(join(work, ".git"), { recursive: true });
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: work,
      stdio: "ignore",
    });
  };
  git("init", "-q", "--template=");
  git("add", "a.txt", "README.md");
  git("commit", "-qm", "first");
}

interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly commands: Commands;
}

async function judge(command: string, place: Place, { mode, rules }: Setting): Promise<Verdict> {
  const { cwd, home, commands } = place;
  const layers = [
    { name: "built-in", rules: DISASTER_RULES, mayAllow: true },
    { name: "user", rules, mayAllow: true },
  ];
  const policy = createPolicy({ mode, workspace: [cwd], home, border: "ask", layers, commands });
  const fact = { kind: "command", text: command, cwd } as const;
  const reading = await commands.read(fact);
  const paths = await Promise.all(
    reading.paths.map(async (word): Promise<Fact> => {
      const unresolved = { kind: "path", path: `${word.cwd}/${word.text}`, access: word.access } as const;
      const found = await resolveCommandPath(word).catch(() => undefined);
      if (found === undefined) return { ...unresolved, suspected: true };
      return word.suspected === true ? { ...found, suspected: true } : found;
    }),
  );
  return policy.judge(jobOf([{ ...fact, reading }, ...paths], { tool: SHELL, input: { command } }));
}

type Contents = ReadonlyMap<string, string>;

function changesSince(before: Contents, after: Contents): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
}

function effectsOf(output: string, changed: readonly string[], { guards }: Setting): readonly string[] {
  const effects = output.includes(KEY) ? ["printed a file of the home"] : [];
  const guardsSecret = guards === "secret" || guards === "denied";
  if (guardsSecret && output.includes(SECRET)) effects.push("printed a denied file");
  if (guards === "protected" && PROTECTED_LINE.test(output)) effects.push("printed a protected file");
  if (guards === "secret" || guards === "protected") return effects;
  const counted =
    guards === "everything" ? changed : changed.filter((path) => path.startsWith("work/victim"));
  return [...effects, ...counted.map((path) => `changed ${path}`)];
}

const BUBBLEWRAP = "bwrap";
const LIMIT_MS = 5000;

/** What a process of root could change for the whole machine. */
const SETTINGS_OF_KERNEL = ["sys", "sysrq-trigger", "irq", "bus", "fs"].map((name) => `/proc/${name}`);

function runInBox(command: string, root: string): Promise<string> {
  const box = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    ...SETTINGS_OF_KERNEL.flatMap((path) => ["--ro-bind-try", path, path]),
    "--tmpfs",
    "/tmp",
    "--bind",
    root,
    root,
  ];
  const cut = ["--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"];
  const home = join(root, "home");
  const variables = ["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", home];
  const limited = `ulimit -v 4000000 -t 4; ulimit -f 20000; exec bash -c "$1"`;
  const args = [
    ...box,
    ...cut,
    ...variables,
    "--chdir",
    join(root, "work"),
    "bash",
    "-c",
    limited,
    "_",
    command,
  ];
  return new Promise((resolve) => {
    const child = execFile(
      BUBBLEWRAP,
      args,
      { timeout: LIMIT_MS, killSignal: "SIGKILL", maxBuffer: 4_000_000, encoding: "latin1" },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
    child.stdin?.end();
  });
}

/** Returns every file below a folder with its content, except the index, in which git caches times of files. */
function contentsOf(root: string): Contents {
  const found = new Map<string, string>();
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (name === "work/.git/index") continue;
    const path = join(root, name);
    const status = lstatSync(path);
    found.set(name, status.isFile() ? `${status.mode} ${readFileSync(path, "latin1")}` : String(status.mode));
  }
  return found;
}
