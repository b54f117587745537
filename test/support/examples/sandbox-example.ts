import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { loadConfig } from "../../../src/app/config/config.ts";
import type { Config } from "../../../src/app/config/groups.ts";
import type { SandboxOptions } from "../../../src/app/config/settings/sandbox-setting.ts";
import { chooseSandbox } from "../../../src/app/host/sandbox/sandbox.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Policy } from "../../../src/core/policy.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createMemoryArtifacts } from "../../../src/store/in-memory.ts";
import { probeBox } from "../../../src/system/box/box.ts";
import { runCode } from "../../../src/tools/code/run-code.ts";
import { fileTools } from "../../../src/tools/files/family.ts";
import { pythonAction } from "../../../src/tools/python/python-action.ts";
import { runningTools } from "../../../src/tools/running/family.ts";
import { call } from "../engines/engine.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A text that no answer may contain. */
export const SECRET = "canary-secret-77b1";

export type Kind = "bubblewrap" | "srt" | "podman" | "process";

/** What CI installs: there it is a failure if one of these does not work. */
const INSTALLED: ReadonlySet<Kind> = new Set(["bubblewrap"]);

/** For a test's `skip` option: why a kind cannot be tried here. */
export async function whyNot(kind: Kind): Promise<string | false> {
  if (kind === "process") return false;
  const probe = await probeBox(kind);
  if (probe.works || (process.env["CI"] === "true" && INSTALLED.has(kind))) return false;
  return `${probe.reason}; ${probe.hint}`;
}

/** Nothing but the sandbox protects. */
const ALLOW: Policy = {
  judge: () => ({ kind: "allow", reason: "a test of the sandbox", rule: "test" }),
  hides: (path) => path.includes("/denied"),
};

/** A session sandbox (none: the host) over a workspace in a home folder with secrets; a server listens on loopback. */
export interface SandboxPlace {
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
  readonly engine: Engine;
  accepted(): number;
  run(name: string, input: JsonObject): Promise<ToolResult>;
  shell(command: string, more?: JsonObject): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly web?: Config["web"];
  /** Returns true for a host that a rule denies. */
  readonly isDenied?: (host: string) => boolean;
}

export async function openSandboxPlace(
  t: Pick<TestContext, "after">,
  kind: Kind | "none",
  options: Partial<SandboxOptions> = {},
  { web = {}, isDenied = () => false }: PlaceOptions = {},
): Promise<SandboxPlace> {
  const home = temporaryFolder(t);
  const workspace = join(home, "project");
  for (const folder of [workspace, join(workspace, ".toolwright"), join(home, ".ssh")])
    mkdirSync(folder, { recursive: true });
  for (const file of ["secret", ".ssh/id", "project/.toolwright/own"])
    writeFileSync(join(home, file), SECRET);
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on("error", () => undefined).end(SECRET);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const variables = { PATH: process.env["PATH"] ?? "", HOME: home };
  const loaded = loadConfig(
    { sandbox: kind, store: ":memory:" },
    { cwd: workspace, variables, userHome: home },
  );
  const config = {
    ...loaded,
    web,
    sandbox: { ...loaded.sandbox, options: { ...loaded.sandbox.options, ...options } },
  };
  const { sandbox } = await chooseSandbox(config);
  assert.equal(sandbox?.kind, kind === "none" ? undefined : kind);
  const engine = createEngine({
    policy: { ...ALLOW, hidesHost: isDenied },
    tools: [
      ...runningTools({ root: workspace, home, environment: variables, isOutside: kind !== "none" }),
      pythonAction({ root: workspace, environment: variables }),
      runCode({ dataOf: () => undefined }),
      ...fileTools({ root: workspace, home, trashFolder: join(home, "trash") }),
    ],
    executors: sandbox === undefined ? [] : [sandbox.executor],
    artifacts: createMemoryArtifacts(),
  });
  t.after(() => engine.close());
  const run = (name: string, input: JsonObject): Promise<ToolResult> =>
    engine.run(call(name, input), { session: "one" });
  return {
    home,
    workspace,
    engine,
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    run,
    shell: (command, more = {}) => run("shell", { command, ...more }),
    close: () => engine.close(),
  };
}

/** Returns the processes whose command line contains all the texts. */
export function processesWith(...texts: readonly string[]): readonly number[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && texts.every((text) => commandLine(pid).includes(text)))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Returns the tool servers of a workspace, with the programs that hold them. */
export function serversOf(workspace: string): readonly number[] {
  return processesWith("toolwright-tool-server", workspace);
}
