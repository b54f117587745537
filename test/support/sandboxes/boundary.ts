import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createPolicyCommands } from "../../../src/app/host/policy.ts";
import { resolveCommandPath } from "../../../src/app/host/resolve-command-path.ts";
import type { Approver } from "../../../src/core/approval.ts";
import type { Commands } from "../../../src/shell/syntax/command-knowledge.ts";
import type { CommandReading } from "../../../src/core/command.ts";
import type { Mode } from "../../../src/core/policy.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import type { Rule } from "../../../src/core/rule.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import type { Engine } from "../../../src/engine/types/engine.ts";
import { createPolicy } from "../../../src/policy/policy.ts";
import { childEnvironment } from "../../../src/system/process/environment.ts";
import { runningTools } from "../../../src/tools/running/family.ts";
import { call } from "../engines/engine.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A text that no answer may contain. */
export const SECRET = "canary-secret-9f3a";

/** A workspace in a home folder with secrets beside it, and an engine in mode auto. */
export interface Boundary {
  readonly workspace: string;
  readonly home: string;
  readonly stateFolder: string;
  /** A port on loopback; `accepted` counts its connections. */
  readonly port: number;
  accepted(): number;
  shell(command: string, more?: object): Promise<ToolResult>;
}

export interface BoundaryOptions {
  /** `wrong`: every command is believed to only read, so that only the sandbox protects. `none`: sandboxes are switched off. */
  readonly proof: "wrong" | "real" | "none";
  readonly mode?: Mode;
  readonly rules?: readonly Rule[];
  readonly approver?: Approver;
}

export async function openBoundary(t: TestContext, options: BoundaryOptions): Promise<Boundary> {
  const home = temporaryFolder(t);
  const workspace = join(home, "project");
  const stateFolder = join(workspace, ".state");
  for (const folder of [workspace, stateFolder, join(home, ".ssh"), join(home, "bin")]) mkdirSync(folder);
  writeFileSync(join(workspace, "readme"), "plain text\n");
  for (const file of ["secret", ".ssh/id", "project/.state/secret"]) writeFileSync(join(home, file), SECRET);
  writeFileSync(join(home, "bin/greet"), "#!/bin/sh\necho greetings\n", { mode: 0o755 });
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on("error", () => undefined).end(SECRET);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  const engine = openBoundaryEngine({ workspace, home, stateFolder }, options);
  t.after(() => engine.close());
  const { port } = server.address() as AddressInfo;
  return {
    workspace,
    home,
    stateFolder,
    port,
    accepted: () => accepted,
    shell: (command, more = {}) => engine.run(call("shell", { command, ...more }), { session: "boundary" }),
  };
}

/** Creates an engine with the tools that run programs; `bin` in the home is on the path. */
export function openBoundaryEngine(
  { workspace, home, stateFolder }: Pick<Boundary, "workspace" | "home" | "stateFolder">,
  { proof, mode = "auto", rules = [], approver }: BoundaryOptions,
): Engine {
  const environment = childEnvironment(process.env);
  const path = `${join(home, "bin")}:${environment["PATH"] ?? ""}`;
  const real = createPolicyCommands(home, () => proof !== "none");
  return createEngine({
    policy: createPolicy({
      mode,
      workspace: [workspace],
      home,
      layers: [{ name: "user", rules, mayAllow: true }],
      commands: proof === "wrong" ? { ...real, read: believe(real) } : real,
    }),
    resolvePath: resolveCommandPath,
    tools: runningTools({
      root: workspace,
      home,
      environment: { ...environment, HOME: home, PATH: path },
      stateFolders: [stateFolder],
    }),
    ...(approver !== undefined && { approver }),
  });
}

/** Reads each command, and then believes that it only reads. */
function believe({ read }: Commands): Commands["read"] {
  return async (fact) => {
    await read(fact);
    return WRONG;
  };
}

const WRONG: CommandReading = {
  certainty: "proven",
  commands: [],
  paths: [],
  isReadOnly: true,
  box: "needed",
};
