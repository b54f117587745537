import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "toolwright/store";
import { versionOf } from "./calls.ts";
import type { Soak } from "./drive.ts";
import { PAIRS } from "./world.ts";

/** Checks, while nothing runs, that nothing is lost, half done, left running or left on the disk. */
export async function check(soak: Soak): Promise<void> {
  const { world, violate } = soak;
  const stores = [join(world.home, "state"), world.workerStore].filter((store) => existsSync(store));
  for (const store of stores) await startNext(soak, store);
  checkFiles(soak);
  const running = world.running();
  if (running.length > 0)
    violate(`${running.length} processes are left running: ${running.map(describe).join("; ")}`);
  for (const store of stores) await checkOpen(soak, store);
  await checkJournal(soak);
}

/** The next process that starts ends and removes what the killed ones left; folders once an hour, of which a file has the time. */
async function startNext({ world, violate }: Soak, store: string): Promise<void> {
  rmSync(join(store, "swept"), { force: true });
  const args = ["call", "read_file", "path=shared", "--mode", "yolo", "--store", store];
  const next = world.start(args, { stderr: "pipe" });
  let printed = "";
  next.stdout?.resume();
  next.stderr?.setEncoding("utf8").on("data", (text: string) => (printed += text));
  next.stdin?.end();
  const [code] = (await once(next, "close")) as [number | null];
  if (code !== 0) violate(`the next process exits with ${String(code)}: ${printed}`);
  const folder = join(store, "processes");
  const programs = existsSync(folder) ? readdirSync(folder) : [];
  if (programs.length > 0) violate(`records of programs are left: ${programs.join(", ")}`);
}

async function checkOpen({ violate }: Soak, folder: string): Promise<void> {
  const store = await openStore({ folder });
  const open = (await store.journal.list()).filter(({ state }) => state === "open").length;
  await store.close();
  if (open > 0) violate(`${open} calls are open in the journal of ${folder}`);
}

function checkFiles({ world: { root, home }, calls, violate }: Soak): void {
  const lines = readFileSync(join(root, "shared"), "utf8").split("\n");
  const count = (id: string): number => lines.filter((line) => line === id).length;
  for (const { id, name, input, ok, fault = "no error", mayHaveRun } of calls) {
    const isUnsure = ok === undefined || mayHaveRun === true;
    if (name === "edit_file" && count(id) !== (ok === true ? 1 : 0) && !(isUnsure && count(id) < 2))
      violate(`edit ${id} was answered ${String(ok)} (${fault}) and is in the file ${count(id)} times`);
    if (ok !== true) continue;
    const isThere = existsSync(join(root, String(input["path"])));
    if (name === "write_file" && !isThere) violate(`${id} was written and is missing`);
    if (name === "delete_file" && isThere) violate(`${id} was deleted and is there`);
  }
  checkRest(root, home, violate);
}

function checkRest(root: string, home: string, violate: Soak["violate"]): void {
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [a, b] = ["a", "b"].map((side) => versionOf(root, pair, side));
    if (a !== b) violate(`a patch is half applied: ${a} and ${b}`);
  }
  const left = readdirSync(root, { recursive: true }).filter((name) => String(name).includes(".toolwright-"));
  if (left.length > 0) violate(`files are left in the workspace: ${left.join(", ")}`);
  const changes = join(home, "state/changes");
  // An empty record, of a process that was killed before it wrote it, is removed after a minute.
  // On a busy machine a round may end before a program has changed a file.
  const records = (existsSync(changes) ? readdirSync(changes) : []).filter(
    (name) => !name.endsWith(".lock") && statSync(join(changes, name)).size > 0,
  );
  if (records.length > 0) violate(`records of changes are left: ${records.join(", ")}`);
  const folders = readdirSync(join(root, "../tmp")).filter((name) => name.startsWith("toolwright-"));
  if (folders.length > 0) violate(`temporary folders are left: ${folders.join(", ")}`);
}

/** The answer to a call that did not run, since the disk was full. */
const UNRECORDED = /^UNAVAILABLE: the journal cannot be written: .*(?:full|ENOSPC)/;

async function checkJournal({ world: { home }, calls, violate }: Soak): Promise<void> {
  const store = await openStore({ folder: join(home, "state") });
  const records = Map.groupBy(await store.journal.list(), ({ callId }) => callId);
  await store.close();
  // The gateway gives its calls ids of its own.
  for (const { id, ok, fault = "", isNearFull } of calls.filter(({ id }) => !/^(?:gateway|chat)/.test(id))) {
    const ownRecords = records.get(id) ?? [];
    if (ownRecords.length > 1) violate(`${id} is in the journal ${ownRecords.length} times`);
    // It says itself that nothing is recorded: a busy machine reads it long after the disk was full.
    if (ok === undefined || isNearFull === true || UNRECORDED.test(fault)) continue;
    if (ownRecords[0]?.answer?.ok !== ok)
      violate(
        `${id} was answered ${ok} (${fault}), and the journal has ${ownRecords[0]?.state ?? "nothing"}`,
      );
  }
}

/** Returns the command line of a process, its parent and its marker. */
function describe(pid: number): string {
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "latin1").replaceAll("\0", " ").trim();
    } catch {
      return "";
    }
  };
  const [, parent = ""] = /PPid:\s*(\d+)/.exec(read("status")) ?? [];
  const [marker = "no marker"] = /TOOLWRIGHT_CALL=\S+/.exec(read("environ")) ?? [];
  return `${pid} ${read("cmdline")} (parent ${parent}, ${marker})`;
}
