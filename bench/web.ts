import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEngine } from "toolwright";
import { webTools } from "toolwright/tools";
import { Agent, request } from "undici";
import { median, type Row } from "./measure.ts";

const FETCHES = 100;
const WARM_UP = 20;
const ROUNDS = 41;
const TEXT = "A line of text.\n".repeat(300);

/** What `web_fetch` sends, so that the server has the same work. */
const HEADERS = {
  "accept-encoding": "gzip, deflate, br, zstd",
  accept: "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5",
  "user-agent": "Mozilla/5.0 (compatible; Toolwright)",
};

/**
 * Measures a hundred fetches of plain text at once against the bare client, from a server on loopback. Plain text, because the bare
 * client does not convert pages; a round of each in turn, so that other load is the same for both.
 */
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
    const { body } = await request(url, { dispatcher: agent, headers: HEADERS });
    await body.text();
  };
  const ours = async (): Promise<void> => {
    const { ok } = await engine.run({ id: crypto.randomUUID(), name: "web_fetch", input: { url } });
    if (!ok) throw new Error("a fetch failed");
  };
  try {
    const [mine, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      theirs.push(await together(bare));
      mine.push(await together(ours));
    }
    const [ms, baselineMs] = [median(mine.slice(WARM_UP)), median(theirs.slice(WARM_UP))];
    return [
      {
        what: `${FETCHES} fetches of 4.8 KB of plain text at once, against bare undici`,
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
