import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "../src/engine/engine.ts";
import { openStore } from "../src/store/open-store.ts";
import { defineTool } from "../src/schema/define/define-tool.ts";
import { proxyTools } from "../src/tools/proxy/family.ts";
import { trafficOf } from "../src/tools/proxy/traffic/traffic.ts";
import { median, type Row } from "./measure.ts";

const REQUESTS = 10_000;
const ROUNDS = 21;
const FILTER = 'req.method.eq:"POST" AND req.path.cont:"/api/" AND resp.code.gte:400';
const MAX_MS = 50;

/** Measures a filtered list of ten thousand captured requests in a store on disk. */
export async function benchTraffic(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const store = await openStore({ folder });
  const options = { collections: store.collections, environment: {} };
  const fill = defineTool({
    name: "fill",
    description: "Stores requests as the proxy does.",
    risk: "low",
    async run(_, context) {
      const traffic = trafficOf(context, options);
      for (let index = 0; index < REQUESTS; index += 1) await traffic.add(exchange(index));
    },
  });
  const engine = createEngine({ mode: "yolo", tools: [...proxyTools(options), fill], timeoutMs: 600_000 });
  engine.groups.activate("proxy");
  const run = async (name: string, input = {}): Promise<number> => {
    const call = { id: crypto.randomUUID(), name, input };
    const startedAt = performance.now();
    const { ok } = await engine.run(call, { session: "bench" });
    if (!ok) throw new Error(`${name} failed`);
    return performance.now() - startedAt;
  };
  try {
    await run("fill");
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      times.push(await run("list_requests", { filter: FILTER }));
    const ms = median(times);
    return [
      {
        what: `list_requests with a filter over ${REQUESTS} captured requests, in a store on disk`,
        figure: `${ms.toFixed(1)} ms`,
        against: "",
        target: `${MAX_MS} ms`,
        isReached: ms < MAX_MS,
      },
    ];
  } finally {
    await engine.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function exchange(index: number) {
  const message = {
    headers: [["content-type", "application/json"]] as const,
    body: { bytes: 12, text: '{"id": 1234}' },
  };
  return {
    startedAt: 1_700_000_000_000 + index,
    durationMs: index % 300,
    method: index % 3 === 0 ? "POST" : "GET",
    url: `https://shop.example/${index % 2 === 0 ? "api" : "static"}/items/${index}?page=${index % 10}`,
    version: "2",
    request: message,
    response: { ...message, status: index % 50 === 0 ? 500 : 200, reason: "" },
  };
}
