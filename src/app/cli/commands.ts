import { approve } from "../terminal/commands/approve.ts";
import { refreshCommand } from "../terminal/commands/refresh.ts";
import { restore } from "../terminal/commands/restore.ts";
import { toolCommand } from "../terminal/commands/tool.ts";
import { trace } from "../terminal/commands/trace.ts";
import type { Commands } from "../terminal/input/command.ts";
import { help } from "../terminal/input/help.ts";
import { chat } from "./agent/chat.ts";
import { replay } from "./agent/replay.ts";
import { run } from "./agent/run.ts";
import { sessions } from "./agent/sessions.ts";
import { batch } from "./calls/batch.ts";
import { call } from "./calls/call.ts";
import { explain } from "./calls/explain.ts";
import { parse } from "./calls/parse.ts";
import { tool } from "./calls/tool.ts";
import { tools } from "./calls/tools.ts";
import { mcp } from "./mcp/mcp.ts";
import { completion } from "./setup/completion.ts";
import { doctor } from "./setup/doctor.ts";
import { init } from "./setup/init.ts";
import { policy } from "./setup/policy.ts";
import { schema } from "./setup/schema.ts";
import { trash } from "./setup/trash.ts";
import { trust } from "./setup/trust.ts";
import { toCommand } from "./slash.ts";

/** Every command, in the order in which help lists them. Help, completion and the docs are made from this table. */
export const COMMANDS: Commands = {
  tools,
  tool,
  call,
  batch,
  parse,
  explain,
  policy,
  approve,
  chat,
  run,
  mcp,
  trace,
  sessions,
  replay,
  trust,
  trash,
  restore,
  doctor,
  init,
  schema,
  completion,
  help,
  "/tool": toCommand(toolCommand, ["tool"]),
  "/refresh": toCommand(refreshCommand, []),
};
