// Public MCP servers from npm, called directly and behind the gateway, give equal tools and results. None needs the network once it is
// installed. The gateway refuses input that does not match a schema in its own words, so such calls are not compared.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { installPackage } from "../support/programs/npm-package.ts";
import { createPlace, type Place } from "../flows/support/cli.ts";
import { compareServer, type Call } from "./support/compare-server.ts";

interface PublicServer {
  readonly package: string;
  readonly version: string;
  readonly bin: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What differs between any two calls. */
  readonly varying?: RegExp;
  /** Without it, only the lists of tools are compared. */
  readonly calls?: (place: Place) => readonly Call[];
}

const PAGE = "data:text/html,<title>page</title><h1>hello</h1><p>world</p>";
const OFFLINE = "http://127.0.0.1:9/";

const SERVERS: readonly PublicServer[] = [
  {
    package: "@playwright/mcp",
    version: "0.0.83",
    bin: "playwright-mcp",
    args: ["--headless", "--executable-path", "/nowhere/chrome"],
    calls: () => [
      ["browser_close", {}],
      ["browser_navigate", { url: PAGE }],
    ],
  },
  {
    package: "chrome-devtools-mcp",
    version: "1.11.0",
    bin: "chrome-devtools-mcp",
    args: ["--headless", "--executablePath", "/nowhere/chrome"],
    calls: () => [
      ["list_pages", {}],
      ["new_page", { url: PAGE }],
    ],
  },
  {
    package: "@cyanheads/git-mcp-server",
    version: "2.15.3",
    bin: "git-mcp-server",
    calls: ({ folder }) => [
      ["git_log", { path: folder }],
      ["git_show", { path: folder, object: "HEAD" }],
      ["git_blame", { path: folder, filePath: "a.ts" }],
      ["git_branch", { path: folder }],
      ["git_tag", { path: folder }],
      ["git_show", { path: folder, object: "nothing" }],
      ["git_log", { path: join(folder, "nowhere") }],
    ],
  },
  {
    package: "mcp-server-commands",
    version: "0.5.0",
    bin: "mcp-server-commands",
    calls: ({ folder }) => [
      ["run_command", { command: "echo hello; echo problem >&2" }],
      ["run_command", { command: "seq 1 20000" }],
      ["run_command", { command: "ls", workdir: folder }],
      ["run_command", { command: "exit 3" }],
    ],
  },
  {
    package: "@bytebase/dbhub",
    version: "1.4.0",
    bin: "dbhub",
    args: ["--transport", "stdio", "--demo"],
    calls: () => [
      ["execute_sql", { sql: "SELECT * FROM employee ORDER BY emp_no LIMIT 3" }],
      ["execute_sql", { sql: "SELECT * FROM employee ORDER BY emp_no LIMIT 500" }],
      ["execute_sql", { sql: "SELECT nothing" }],
      ["search_objects", { object_type: "table" }],
      ["search_objects", { object_type: "column", table: "employee" }],
    ],
  },
  {
    package: "repomix",
    version: "1.18.1",
    bin: "repomix",
    args: ["--mcp"],
    calls: ({ folder }) => [
      ["read_repomix_output", { outputId: "none" }],
      ["grep_repomix_output", { outputId: "none", pattern: "a" }],
      ["pack_codebase", { directory: folder }],
      ["pack_codebase", { directory: join(folder, "nowhere") }],
      ["attach_packed_output", { path: join(folder, "a.ts") }],
    ],
    varying: /\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=outputId[\\":\s]*)\w+|[^"\\]*repomix-output[^"\\]*/g,
  },
  { package: "@upstash/context7-mcp", version: "4.1.1", bin: "context7-mcp" },
  {
    package: "tavily-mcp",
    version: "0.2.22",
    bin: "tavily-mcp",
    env: { TAVILY_API_KEY: "none" },
  },
  {
    package: "mcp-hello-world",
    version: "1.1.2",
    bin: "mcp-hello-world",
    calls: () => [
      ["echo", { message: "hello" }],
      ["echo", { message: "x".repeat(60_000) }],
      ["add", { a: 1, b: 2.5 }],
      ["debug", {}],
    ],
  },
  {
    package: "mcp-server-code-runner",
    version: "0.1.8",
    bin: "mcp-server-code-runner",
    calls: () => [
      [
        "run-code",
        { code: "console.log('hello'); console.log('x'.repeat(30000))", languageId: "javascript" },
      ],
    ],
  },
  {
    package: "@antv/mcp-server-chart",
    version: "0.9.10",
    bin: "mcp-server-chart",
    env: { VIS_REQUEST_SERVER: OFFLINE },
    calls: () => [["generate_pie_chart", { data: [{ category: "one", value: 1 }] }]],
  },
  {
    package: "@eslint/mcp",
    version: "0.3.13",
    bin: "mcp",
    calls: ({ folder }) => [
      ["lint-files", { filePaths: [join(folder, "a.mjs")] }],
      ["lint-files", { filePaths: [join(folder, "none.mjs")] }],
    ],
  },
  {
    package: "@notionhq/notion-mcp-server",
    version: "2.5.2",
    bin: "notion-mcp-server",
    env: { NOTION_TOKEN: "none", BASE_URL: OFFLINE },
    calls: () => [["API-get-self", {}]],
  },
  { package: "exa-mcp-server", version: "3.4.1", bin: "exa-mcp-server", env: { EXA_API_KEY: "none" } },
  {
    package: "mcp-fetch-server",
    version: "1.1.2",
    bin: "mcp-fetch-server",
    calls: () => [
      ["fetch_txt", { url: OFFLINE }],
      ["fetch_json", { url: "no address" }],
    ],
  },
  {
    package: "figma-developer-mcp",
    version: "0.13.2",
    bin: "figma-developer-mcp",
    args: ["--stdio", "--figma-api-key=none"],
  },
  {
    package: "time-mcp",
    version: "1.0.6",
    bin: "time-mcp",
    calls: () => [
      ["days_in_month", { date: "2024-02-01" }],
      ["get_week_year", { date: "2024-02-01" }],
      ["get_timestamp", { time: "2024-02-01 12:00:00" }],
      ["convert_time", { sourceTimezone: "UTC", targetTimezone: "Asia/Tokyo", time: "2024-02-01 12:00:00" }],
      ["convert_time", { sourceTimezone: "UTC", targetTimezone: "Nowhere", time: "2024-02-01 12:00:00" }],
    ],
  },
];

for (const { package: name, version, bin, args = [], env, varying, calls = () => [] } of SERVERS)
  test(`${name} gives the same tools and results directly and behind the gateway`, async (t) => {
    const installed = installPackage(name, version);
    const place = createPlace(t);
    createRepository(place);
    return compareServer(t, place, {
      program: [process.execPath, installed.program(bin), ...args],
      ...(env && { env: () => env }),
      ...(varying && { varying }),
      calls: calls(place),
    });
  });

/** Two commits with fixed hashes. */
function createRepository({ folder, write }: Place): void {
  const date = "2024-01-01T00:00:00Z";
  const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com", GIT_AUTHOR_DATE: date };
  const by = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "ada@example.com", GIT_COMMITTER_DATE: date };
  const env = { PATH: process.env["PATH"], HOME: folder, ...who, ...by };
  const git = (...rest: readonly string[]): unknown => execFileSync("git", rest, { cwd: folder, env });
  git("init", "-q", "-b", "main");
  for (const text of ["one\n", "one\ntwo\n"]) {
    write("a.ts", text);
    write("a.mjs", "const unused = 1;\n");
    write("eslint.config.mjs", 'export default [{ rules: { "no-unused-vars": "error" } }];\n');
    git("add", "-A");
    git("commit", "-q", "-m", text.trim());
  }
}
