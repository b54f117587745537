// Measures the cost of the engine against the same work without it, in one run on one machine. Prints ratios.
import { benchColdStart } from "./cold-start.ts";
import { benchEdits } from "./edits.ts";
import { benchEventLoop } from "./event-loop.ts";
import { benchExternal } from "./external.ts";
import { benchJudge } from "./judge.ts";
import { benchFleet } from "./fleet.ts";
import { benchGateway } from "./gateway.ts";
import { benchManyServers } from "./many-servers.ts";
import { benchLibexec } from "./libexec.ts";
import { benchLine } from "./line.ts";
import { print, type Row } from "./measure.ts";
import { benchRegistry } from "./registry.ts";
import { benchOpenApi } from "./openapi.ts";
import { benchReplKeys } from "./repl-keys.ts";
import { benchReplStart } from "./repl-start.ts";
import { benchRunAll } from "./run-all.ts";
import { benchRunCode } from "./run-code.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchSearch } from "./search.ts";
import { benchServe } from "./serve.ts";
import { benchShell } from "./shell.ts";
import { benchTextCalls } from "./text-calls.ts";
import { benchTraffic } from "./traffic.ts";
import { benchWeb } from "./web.ts";

const measured: Row[] = [];
for (const bench of [
  benchLine,
  benchEventLoop,
  benchRunAll,
  benchRunCode,
  benchJudge,
  benchRegistry,
  benchSearch,
  benchEdits,
  benchShell,
  benchSandbox,
  benchExternal,
  benchGateway,
  benchManyServers,
  benchFleet,
  benchServe,
  benchWeb,
  benchOpenApi,
  benchTraffic,
  benchReplStart,
  benchReplKeys,
])
  measured.push(...(await bench()));
print([...measured, ...benchTextCalls(), ...benchColdStart(), ...benchLibexec()]);
