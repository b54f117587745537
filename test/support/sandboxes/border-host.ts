import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { loadConfig, type ConfigFlags } from "../../../src/app/config/config.ts";
import type { Approval, ApprovalRequest } from "../../../src/core/approval.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { ToolResult } from "../../../src/core/result.ts";
import type { Host } from "../../../src/app/host/host.ts";
import { openHost } from "../../../src/app/host/open-host.ts";
import { call } from "../engines/engine.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A host of a config, and the folders around its workspace. */
export interface BorderHost {
  readonly host: Host;
  readonly workspace: string;
  /** A folder beside the workspace. */
  readonly other: string;
  readonly home: string;
  /** What was asked so far. */
  readonly asked: readonly ApprovalRequest[];
  readonly run: (tool: string, input: object, session?: string) => Promise<ToolResult>;
}

/** Opens a host in a new workspace, whose approver answers as `decide` says; default: it approves everything once. */
export async function openBorderHost(
  t: TestContext,
  flags: ConfigFlags,
  decide: (request: ApprovalRequest) => Approval = () => ({ approved: true, scope: "once" }),
  settings: JsonObject = {},
): Promise<BorderHost> {
  const folder = realpathSync(temporaryFolder(t));
  const [workspace, other, home] = [
    join(folder, "place/work"),
    join(folder, "place/other"),
    join(folder, "users/ada"),
  ];
  for (const one of [workspace, other, home]) mkdirSync(one, { recursive: true });
  mkdirSync(join(home, ".toolwright"));
  if (Object.keys(settings).length > 0)
    writeFileSync(join(home, ".toolwright/config.json"), JSON.stringify(settings), { mode: 0o600 });
  const variables = { PATH: process.env["PATH"], HOME: home };
  const config = loadConfig(
    { store: join(folder, "state"), ...flags },
    { cwd: workspace, variables, userHome: home },
  );
  const asked: ApprovalRequest[] = [];
  const approver = {
    ask: async (request: ApprovalRequest) => {
      asked.push(request);
      return decide(request);
    },
  };
  const host = await openHost({
    need: "call",
    flags: {},
    config,
    warn: (warning) => t.diagnostic(warning),
    approvers: [approver],
    asksQueue: false,
  });
  t.after(() => host.close());
  const run = (tool: string, input: object, session = "s") => host.engine.run(call(tool, input), { session });
  return { host, workspace, other, home, asked, run };
}
