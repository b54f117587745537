import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { untilTrue } from "../support/running.ts";
import { createPlace, runCli, startCli, type Place } from "./support/cli.ts";

const CALL = ["call", "shell", "command=touch made", "--queue"];

/** The id of the call that waits, as soon as one does. */
async function waitingId(place: Place): Promise<string> {
  const end = performance.now() + 10_000;
  while (performance.now() < end) {
    const { stdout } = await runCli(place, ["approve", "--json"]);
    const id = firstId(stdout);
    if (id !== undefined) return id;
  }
  throw new Error("nothing waits");
}

function firstId(json: string): string | undefined {
  const [first] = JSON.parse(json) as readonly { readonly id: string }[];
  return first?.id;
}

test("a call without a terminal waits for an answer from another process", async (t) => {
  const place = createPlace(t);
  const { finished, shown } = startCli(place, CALL);
  const id = await waitingId(place);
  // Another process can read the request before this one has printed its line.
  await untilTrue("the line about the approval", () =>
    /shell waits for approval: run toolwright approve/.test(shown.stderr),
  );
  assert.equal(existsSync(join(place.folder, "made")), false, "nothing runs before the answer");
  const listed = await runCli(place, ["approve"]);
  assert.match(listed.stdout, /Run touch made {2}\(shell, high risk\)/);
  assert.equal((await runCli(place, ["approve", id])).stdout, `approved ${id}\n`);
  assert.equal((await finished).code, 0);
  assert.equal(existsSync(join(place.folder, "made")), true);
  const { stdout: calls } = await runCli(place, ["trace", "--json"]);
  assert.match(calls, /"by": ?"toolwright approve \(/, "who approved is recorded");
  const again = await runCli(place, ["approve", id]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /no call waits with the id/);
});

test("approve --watch shows a call as it begins to wait, and how to approve it", async (t) => {
  const place = createPlace(t);
  const watching = startCli(place, ["approve", "--watch"]);
  await untilTrue("it waits", () => watching.shown.stderr.includes("waiting for calls"));
  const { finished } = startCli(place, CALL);
  const id = await waitingId(place);
  await untilTrue("the call is shown", () => watching.shown.stdout.includes(`toolwright approve ${id}`));
  assert.match(watching.shown.stdout, /Run touch made/);
  await runCli(place, ["approve", id]);
  assert.equal((await finished).code, 0);
  watching.child.kill("SIGINT");
  await watching.finished;
  assert.equal(watching.shown.stdout.split(`${id} (waits for`).length, 2, "it is shown once");
  assert.equal(watching.shown.stderr.includes("\u{7}"), false, "no bell where there is no terminal");
});

test("a denial from another process is the answer, with its reason", async (t) => {
  const place = createPlace(t);
  const { finished } = startCli(place, CALL);
  const id = await waitingId(place);
  await runCli(place, ["approve", id, "--deny", "--reason", "not on main"]);
  const { code, stderr } = await finished;
  assert.equal(code, 3);
  assert.match(stderr, /not on main/);
  assert.equal(existsSync(join(place.folder, "made")), false);
});

test("an approval with an input runs that input", async (t) => {
  const place = createPlace(t);
  const { finished } = startCli(place, CALL);
  const id = await waitingId(place);
  await runCli(place, ["approve", id, "--input", '{"command": "touch other"}']);
  assert.equal((await finished).code, 0);
  assert.equal(existsSync(join(place.folder, "made")), false);
  assert.equal(existsSync(join(place.folder, "other")), true);
});

test("a call without an answer in time is denied, and can no longer be answered", async (t) => {
  const place = createPlace(t);
  const environment = { TOOLWRIGHT_APPROVAL_TIMEOUT: "0.3" };
  const { code, stderr } = await runCli(place, CALL, { environment });
  assert.equal(code, 3);
  assert.match(stderr, /no approver answered within 0.3 s/);
  assert.equal((await runCli(place, ["approve"])).stdout, "no calls wait for approval\n");
});

test("a call whose process is killed while it waits is no longer pending", async (t) => {
  const place = createPlace(t);
  const { finished, child } = startCli(place, CALL);
  const id = await waitingId(place);
  child.kill("SIGKILL");
  await finished;
  const answered = await runCli(place, ["approve", id]);
  assert.equal(answered.code, 2);
  assert.equal((await runCli(place, ["approve"])).stdout, "no calls wait for approval\n");
});

const MISUSES = [
  { args: ["approve", "--always"], says: /--always needs the id/ },
  { args: ["approve", "x", "--deny", "--session"], says: /no call waits/ },
  { args: ["approve", "--revoke", "x"], says: /no grant has the id/ },
] as const;

for (const { args, says } of MISUSES) {
  test(`toolwright ${args.join(" ")} exits 2 and says why`, async (t) => {
    const { code, stderr } = await runCli(createPlace(t), args);
    assert.equal(code, 2);
    assert.match(stderr, says);
  });
}

test("an approval for the session holds in the next process, until it is revoked", async (t) => {
  const place = createPlace(t);
  const { finished } = startCli(place, CALL);
  await runCli(place, ["approve", await waitingId(place), "--session"]);
  await finished;
  const silent = await runCli(place, ["call", "shell", "command=touch made"]);
  assert.equal(silent.code, 0, silent.stderr);
  const neighbour = await runCli(place, ["call", "shell", "command=touch made2"]);
  assert.equal(neighbour.code, 3);
  const { stdout } = await runCli(place, ["approve", "--grants", "--json"]);
  await runCli(place, ["approve", "--revoke", firstId(stdout) ?? ""]);
  assert.equal((await runCli(place, ["call", "shell", "command=touch made"])).code, 3);
});

test("always saves the rule that was shown: after a restart the same call needs no approval, similar calls do", async (t) => {
  const place = createPlace(t);
  const { finished } = startCli(place, CALL);
  const id = await waitingId(place);
  const { stdout: shown } = await runCli(place, ["approve"]);
  assert.ok(shown.includes(`approve ${id} --always: Always allow exactly the command touch made\n`), shown);
  await runCli(place, ["approve", id, "--always"]);
  assert.equal((await finished).code, 0);
  const outcomeOf = async (command: string): Promise<number | null> =>
    (await runCli(place, ["call", "shell", `command=${command}`])).code;
  assert.equal(await outcomeOf("touch made"), 0);
  for (const neighbour of [
    "touch made2",
    "touch made x",
    "touch -c made",
    "touch made; touch x",
    "rm made",
  ]) {
    assert.equal(await outcomeOf(neighbour), 3, neighbour);
  }
  const { stdout: explained } = await runCli(place, ["explain", "shell", "command=touch made", "--json"]);
  assert.match(explained, /"kind":"allow"[\s\S]*"rule":"grant\./);
});

test("a shell that runs a script is allowed for good only for these words in this folder, with a warning", async (t) => {
  const place = createPlace(t);
  const { finished } = startCli(place, ["call", "shell", "command=bash script", "--queue"]);
  const id = await waitingId(place);
  const { stdout: shown } = await runCli(place, ["approve"]);
  assert.match(
    shown,
    /approve \S+ --offer 1: Always allow `bash script` in .* \(bash is part of a shell and can run anything\)/,
  );
  const lasting = await runCli(place, ["approve", id, "--always"]);
  assert.equal(lasting.code, 2, "it is one of the wider rules, which are chosen by number");
  await runCli(place, ["approve", id, "--offer", "1"]);
  await finished;
  const kindOf = async (command: string): Promise<unknown> => {
    const { stdout } = await runCli(place, ["explain", "shell", `command=${command}`, "--json"]);
    return (JSON.parse(stdout) as { readonly kind: unknown }).kind;
  };
  assert.equal(await kindOf("bash script"), "allow");
  for (const other of ["bash script x", "bash other", "bash -c script", "sh script"])
    assert.equal(await kindOf(other), "ask", other);
});
