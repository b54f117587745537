// Lets our tools and @playwright/mcp do the same 20 tasks in the same Chromium, over MCP on standard input, and writes the table of docs/browser.md. Installs
// @playwright/mcp with npm in a temporary folder; `-- --installed FOLDER` uses one that is there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openPeer, type Peer } from "./browser-tasks/clients.ts";
import { servePages } from "./browser-tasks/pages.ts";
import { playwrightTools, toolwrightTools } from "./browser-tasks/peers.ts";
import { TASKS } from "./browser-tasks/tasks.ts";
import { npm } from "./package/install-packed.ts";

const PAGE = "docs/browser.md";
const [BEGIN, END] = ["<!-- 20 tasks: npm run browser-tasks -->", "<!-- end of the 20 tasks -->"];

interface Row {
  readonly task: string;
  readonly failure: string | undefined;
  readonly calls: number;
  readonly bytes: number;
  readonly imageBytes: number;
}

interface Run {
  readonly name: string;
  readonly tools: number;
  readonly schemaBytes: number;
  readonly rows: readonly Row[];
}

const folder = mkdtempSync(join(tmpdir(), "toolwright-browser-tasks-"));
try {
  writeFileSync(join(folder, "up.txt"), "a file to send\n");
  const flagIndex = process.argv.indexOf("--installed");
  const installed = flagIndex < 0 ? folder : resolve(process.argv[flagIndex + 1] ?? "");
  if (flagIndex < 0)
    npm(["install", "--no-audit", "--no-fund", "--prefix", folder, "@playwright/mcp"], folder);
  const packageFolder = join(installed, "node_modules/@playwright/mcp");
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  const pages = await servePages();
  const runs = [
    await runTasks("Toolwright", await openPeer(toolwrightTools(folder, pages.port)), pages.address),
    await runTasks(
      `@playwright/mcp ${version}`,
      await openPeer(playwrightTools(folder, packageFolder)),
      pages.address,
    ),
  ];
  pages.close();
  const table = toTable(runs);
  console.log(table);
  const page = readFileSync(PAGE, "utf8");
  const [before, rest = ""] = page.split(BEGIN);
  writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n${END}${rest.split(END)[1] ?? "\n"}`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function runTasks(name: string, peer: Peer, address: string): Promise<Run> {
  const rows: Row[] = [];
  for (const [task, run] of Object.entries(TASKS)) {
    const before = { ...peer.sent };
    let failure: string | undefined;
    try {
      await run(peer, address);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      console.error(`${name}, ${task}: ${failure}`);
    }
    const { calls, bytes, imageBytes } = peer.sent;
    rows.push({
      task,
      failure,
      calls: calls - before.calls,
      bytes: bytes - before.bytes,
      imageBytes: imageBytes - before.imageBytes,
    });
  }
  await peer.close();
  return { name, tools: peer.tools, schemaBytes: peer.schemaBytes, rows };
}

/** Returns the table: a row for each task, and what the runs add up to. */
function toTable(runs: readonly Run[]): string {
  const total = (rows: readonly Row[], valueOf: (row: Row) => number): number =>
    rows.reduce((sum, row) => sum + valueOf(row), 0);
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;
  const line = (title: string, cellOf: (run: Run) => string): string =>
    `| ${title} | ${runs.map(cellOf).join(" | ")} |`;
  const tasks = Object.keys(TASKS).map((task, index) =>
    line(task, ({ rows }) => {
      const row = rows[index];
      if (row === undefined) return "";
      return `${row.calls} call${row.calls === 1 ? "" : "s"}, ${kilobytes(row.bytes)}${row.failure === undefined ? "" : ", not done"}`;
    }),
  );
  return [
    line("", ({ name }) => name),
    `| --- |${runs.map(() => " --- |").join("")}`,
    line(
      "tools for the browser, bytes of their schemas",
      ({ tools, schemaBytes }) => `${tools}, ${kilobytes(schemaBytes)}`,
    ),
    line(
      "tasks done",
      ({ rows }) => `${rows.filter(({ failure }) => failure === undefined).length} of ${rows.length}`,
    ),
    line("**calls**", ({ rows }) => `**${total(rows, ({ calls }) => calls)}**`),
    line("**text to the model**", ({ rows }) => `**${kilobytes(total(rows, ({ bytes }) => bytes))}**`),
    line("images to the model", ({ rows }) => kilobytes(total(rows, ({ imageBytes }) => imageBytes))),
    ...tasks,
    "",
  ].join("\n");
}
