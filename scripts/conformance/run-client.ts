import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { JsonObject } from "../../src/core/json.ts";
import { beClient } from "./client.ts";
import { runSuite, type Check } from "./run-suite.ts";

/** How long the suite waits for a client; all of them run at once. */
const TIMEOUT_MS = 120_000;
/** Scenarios that measure how long the client waits; each runs when no other client is busy. */
const TIMED: ReadonlySet<string> = new Set(["sse-retry"]);
/** Scenarios whose server a client must refuse: using it must fail. */
const REFUSED: ReadonlySet<string> = new Set([
  "auth/scope-retry-limit",
  "auth/resource-mismatch",
  "auth/iss-supported-missing",
  "auth/iss-wrong-issuer",
  "auth/iss-unexpected",
  "auth/iss-normalized",
  "auth/metadata-issuer-mismatch",
]);

interface Requirements {
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
}

/** Returns every scenario that a revision has for clients, scored or not. */
export function clientScenarios(suite: string, revision: string): readonly string[] {
  const text = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const { client, not_scored: more } = parse(text) as Requirements;
  return [...client, ...more.filter(({ leg }) => leg === "client").map(({ scenario }) => scenario)];
}

/** Runs our client through these scenarios of a revision; those that do not apply get no client. */
export async function runClientScenarios(
  suite: string,
  revision: string,
  scenarios: readonly string[],
): Promise<readonly Check[]> {
  const clients = await serveClients(scenarios);
  const forward = fileURLToPath(new URL("forward.sh", import.meta.url));
  const command = `bash ${forward} ${clients.port}`;
  const limits = ["--requirements", revision, "--timeout", String(TIMEOUT_MS)];
  const checks = await runSuite(suite, ["client", "--command", command, ...limits], "ignore");
  await clients.close();
  const applying = checks.filter(({ scenario }) => scenarios.includes(scenario));
  const failed = scenarios.flatMap((scenario) => failureOf(scenario, applying, clients.errors));
  return [...applying, ...failed];
}

/** Returns a failure if the client was never started or did not end as it must, and the suite has not reported it. */
function failureOf(
  scenario: string,
  checks: readonly Check[],
  errors: ReadonlyMap<string, string | undefined>,
): readonly Check[] {
  const own = checks.filter((check) => check.scenario === scenario);
  const isReported = own.some(({ status }) => status === "FAILURE" || status === "WARNING");
  const error = errors.get(scenario);
  const isRight = errors.has(scenario) && own.length > 0 && (error !== undefined) === REFUSED.has(scenario);
  if (isReported || isRight) return [];
  const errorMessage = error ?? "our client was not started, or was not checked, or should have failed";
  return [{ scenario, id: "client", status: "FAILURE", errorMessage }];
}

interface Clients {
  readonly port: number;
  /** By scenario, why our client failed; undefined if it did not. */
  readonly errors: ReadonlyMap<string, string | undefined>;
  close(): Promise<void>;
}

/** Serves clients to `forward.sh`, all in this process: starting a program for each would take most of the time. */
async function serveClients(scenarios: readonly string[]): Promise<Clients> {
  const errors = new Map<string, string | undefined>();
  const untimed = Promise.withResolvers<undefined>();
  let left = scenarios.filter((scenario) => !TIMED.has(scenario)).length;
  const use = async (scenario: string, url: string, context: string): Promise<void> => {
    if (TIMED.has(scenario)) await untimed.promise;
    await beClient(url, JSON.parse(context) as JsonObject).then(
      () => errors.set(scenario, undefined),
      (error: unknown) => errors.set(scenario, String(error)),
    );
    if (!TIMED.has(scenario) && (left -= 1) === 0) untimed.resolve(undefined);
  };
  const answer = async (socket: Socket): Promise<void> => {
    socket.on("error", () => undefined);
    const [scenario = "", url = "", context = ""] = await readLines(socket, 3);
    if (scenarios.includes(scenario)) await use(scenario, url, context);
    socket.end(`${errors.has(scenario) && errors.get(scenario) === undefined ? 0 : 1}\n`);
  };
  const server = createServer((socket) => void answer(socket)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    errors,
    close: async () => void (await once(server.close(), "close")),
  };
}

async function readLines(socket: Socket, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  const reader = createInterface({ input: socket });
  for await (const line of reader) {
    lines.push(line);
    if (lines.length === count) break;
  }
  return lines;
}
