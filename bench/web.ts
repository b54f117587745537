import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine } from "toolwright";
import { webTools } from "toolwright/tools";
import { Agent, request } from "undici";
import { median, type Row } from "./measure.ts";

const FETCHES = 100;
const ROUNDS = 9;
const TEXT = "A line of text.\n".repeat(300);

/** Measures a hundred fetches at once against the bare client, from a server on loopback. */
export async function benchWeb(): Promise<readonly Row[]> {
  const server = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end(TEXT),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const tools = webTools({ root: process.cwd(), web: { privateHosts: [`127.0.0.1:${port}`] } });
  const engine = createEngine({ mode: "yolo", tools, concurrency: FETCHES });
  const agent = new Agent({ connections: 32 });
  const bare = async (): Promise<void> => {
    const { body } = await request(url, { dispatcher: agent });
    await body.text();
  };
  const ours = async (): Promise<void> => {
    const { ok } = await engine.run({ id: crypto.randomUUID(), name: "web_fetch", input: { url } });
    if (!ok) throw new Error("a fetch failed");
  };
  try {
    const [mine, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = [await together(bare), await together(ours)] as const;
      if (round === 0) continue;
      theirs.push(times[0]);
      mine.push(times[1]);
    }
    const [ms, baselineMs] = [median(mine), median(theirs)];
    return [
      {
        what: `${FETCHES} fetches at once, against bare undici`,
        figure: `${ms.toFixed(1)} ms`,
        against: `${baselineMs.toFixed(1)} ms`,
        ratio: ms / baselineMs,
        target: "1.5x",
        isReached: ms <= 1.5 * baselineMs,
      },
    ];
  } finally {
    await engine.close();
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  }
}

async function together(fetchOne: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: FETCHES }, fetchOne));
  return performance.now() - startedAt;
}
