// Installs MCP clients from npm and drives each one offline against a scripted model, with the gateway as its server. Asserts on what the
// model received. Prints a table; fails if a part failed or a client did not start. Arguments: names of programs, such as `codex`, to run only those.
import { installPackage } from "../test/support/programs/npm-package.ts";
import { driveClient, type Outcome } from "./clients/drive.ts";
import { CLIENTS_UNDER_TEST, type ClientUnderTest } from "./clients/table.ts";

const names = process.argv.slice(2);
const chosen = CLIENTS_UNDER_TEST.filter(({ bin }) => names.length === 0 || names.includes(bin));
const rows: string[][] = [];
let failures = 0;
for (const client of chosen) {
  try {
    const { version, program } = installPackage(client.package);
    const outcomes = await driveClient(client, program(client.bin));
    if (rows.length === 0) rows.push(["", ...outcomes.map(({ part }) => part)]);
    rows.push([`${client.title} ${version}`, ...outcomes.map((outcome) => wordFor(client, outcome))]);
  } catch (error) {
    console.log(`${client.title}: not started: ${String(error)}`);
    failures += 1;
  }
}
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
process.exit(failures > 0 || rows.length === 0 ? 1 : 0);

function wordFor({ title, differences }: ClientUnderTest, { part, problem }: Outcome): string {
  if (problem === undefined) return "passed";
  const reason = differences?.[part];
  console.log(`${title}, ${part}: ${reason ?? problem}`);
  if (reason !== undefined) return "skipped";
  failures += 1;
  return "FAILED";
}
