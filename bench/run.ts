// Measures the cost of the engine against the same work without it, in one run on one machine. Prints ratios.
// With names (`npm run bench -- judge line`) only those parts run.
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

const PARTS: Record<string, () => Promise<readonly Row[]> | readonly Row[]> = {
  line: benchLine,
  "event-loop": benchEventLoop,
  "run-all": benchRunAll,
  "run-code": benchRunCode,
  judge: benchJudge,
  registry: benchRegistry,
  search: benchSearch,
  edits: benchEdits,
  shell: benchShell,
  sandbox: benchSandbox,
  external: benchExternal,
  gateway: benchGateway,
  "many-servers": benchManyServers,
  fleet: benchFleet,
  serve: benchServe,
  web: benchWeb,
  openapi: benchOpenApi,
  traffic: benchTraffic,
  "repl-start": benchReplStart,
  "repl-keys": benchReplKeys,
  "text-calls": benchTextCalls,
  "cold-start": benchColdStart,
  libexec: benchLibexec,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(
    `${unknown.includes("--help") ? "usage: npm run bench -- [PART...]" : `there is no part ${unknown.join(", ")}`}; the parts: ${Object.keys(PARTS).join(", ")}`,
  );
  process.exit(unknown.includes("--help") ? 0 : 2);
}
const measured: Row[] = [];
for (const [name, bench] of Object.entries(PARTS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.error(`measuring ${name} …`);
  measured.push(...(await bench()));
}
print(measured);
