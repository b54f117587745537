import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli } from "./support/cli.ts";
import { addPerson, requestAs, startWaiting } from "./support/people.ts";
import { startServe } from "./support/serve.ts";

test("a call that has the id of an inner call of another person is not shown with theirs", async (t) => {
  const { place, served } = await startWaiting(t);
  const [alice, bob] = [await addPerson(place, "alice", "caller"), await addPerson(place, "bob", "caller")];
  const call = { id: "job", name: "write_file", input: { path: "a.txt", content: "x" }, wait: false };
  assert.equal((await requestAs(served, alice, "POST", "/api/calls", call)).status, 202);
  const detail = (token: string, id: string) => requestAs(served, token, "GET", `/api/calls/${id}`);
  await untilTrue("alice's call is recorded", async () => (await detail(alice, "job")).status === 200);
  const inner = { ...call, id: "job.1" };
  assert.equal((await requestAs(served, bob, "POST", "/api/calls", inner)).status, 202);
  await untilTrue("bob's call is recorded", async () => (await detail(bob, "job.1")).status === 200);
  assert.deepEqual((JSON.parse((await detail(alice, "job")).text) as { readonly calls: unknown }).calls, []);
});

test("what a person has left in the background ends with them, and that of others goes on", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place, ["--mode", "yolo"]);
  const [alice, bob] = [await addPerson(place, "alice", "caller"), await addPerson(place, "bob", "caller")];
  const start = async (token: string, path: string, file: string): Promise<number> => {
    const input = { command: `echo $$ > ${file}; exec sleep 600`, background: true };
    const body = path === "/execute" ? { tool: "shell", params: input } : { name: "shell", input };
    assert.equal((await requestAs(served, token, "POST", path, body)).status, 200);
    const pid = (): number => Number(readFileSync(join(place.folder, file), "utf8"));
    await untilTrue(`${file} is written`, () => existsSync(join(place.folder, file)) && pid() > 0);
    return pid();
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const own = [await start(alice, "/api/calls", "one.pid"), await start(alice, "/execute", "two.pid")];
  const other = await start(bob, "/api/calls", "other.pid");
  assert.ok([...own, other].every(isAlive));
  assert.equal((await runCli(place, ["user", "disable", "alice"])).code, 0);
  await untilTrue("both have ended", () => !own.some(isAlive));
  assert.ok(isAlive(other));
});
