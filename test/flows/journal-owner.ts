// A process that owns open calls in the store named by its first argument: one for each way a call can be open.
// It prints "ready" when they are stored, settles them all on "settle", and then prints "settled".
import { once } from "node:events";
import { openStore } from "../../src/store/open-store.ts";
import { answer, call } from "../../src/app/host/testing/contracts/journal-calls.ts";

const [folder = "", owner = ""] = process.argv.slice(2);
const { journal } = await openStore({ folder });
const entries = ["received", "none", "unsafe"].map((kind) => {
  const id = `${owner}/${kind}`;
  return { id, kind, entry: journal.receive(call(id, { name: kind, receivedAt: Date.now() })) };
});
await entries[1]?.entry.start("none");
await entries[2]?.entry.start("unsafe");
// Rows without a waiting caller are stored before they are listed.
await journal.list();
console.log("ready");

process.stdin.resume();
await once(process.stdin, "data");
await Promise.all(entries.map(async ({ id, kind, entry }) => entry.settle(answer(id, kind))));
await journal.close();
console.log("settled");
process.exit();
