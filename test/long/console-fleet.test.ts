// The page Fleet of the console in a real browser, with a real nats-server and two workers. Takes about a minute.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  add,
  FLEET_KEY,
  hasTool,
  openFleetEngine,
  sendCall,
  shareNats,
  startTestWorker,
} from "../support/fleet/fleet.ts";
import { createPlace } from "../flows/support/cli.ts";
import { startServe } from "../flows/support/serve.ts";
import { checkPage, LOOKS, openConsole, startBrowser } from "./support/console.ts";

const nats = shareNats();

test(
  "the page shows workers, queues and dead letters, drains a worker and retries a dead letter",
  { timeout: 600_000 },
  async (tt) => {
    const { t, address } = await nats(tt);
    const place = createPlace(tt);
    const key = join(place.home, "key");
    writeFileSync(key, FLEET_KEY, { mode: 0o600 });
    writeFileSync(join(place.home, "config.json"), JSON.stringify({ fleet: { ...address, key } }), {
      mode: 0o600,
    });
    const on = await openFleetEngine(t, address);
    const first = await startTestWorker(t, address, { tools: [add], labels: ["gpu"], concurrency: 2 });
    const second = await startTestWorker(t, address, { tools: [add] });
    await hasTool(on, "add");
    const { answers } = on.fleet;
    // A call that ended too many workers becomes a dead letter.
    await answers.write("k", answers.seal("k", { state: "started", worker: "gone", attempt: 5 }), 0);
    await sendCall(on, add, { key: "k", issuedAt: Date.now() - 90_000 });
    const browser = await startBrowser(tt);
    const { address: console } = await startServe(tt, place);
    for (const look of LOOKS) {
      const { page, show, errors } = await openConsole(browser, console, look);
      await show("fleet");
      for (const { id } of [first, second]) await page.getByText(id, { exact: true }).waitFor();
      await page.getByRole("table", { name: "Queues" }).getByText("default.high").waitFor();
      await page.getByText(/ended 5 workers/).waitFor();
      await checkPage(page, `the fleet at ${look.width} px, ${look.scheme}`);
      assert.deepEqual(errors, []);
      await page.close();
    }
    const { page, show, errors } = await openConsole(browser, console);
    await show("fleet");
    await page.getByText("default, gpu").waitFor();
    await page.getByText("0 of 2").waitFor();
    await page.getByRole("button", { name: "Retry k" }).click();
    await page.getByText("None: every call has an answer").waitFor();
    await page.getByRole("button", { name: `Drain ${first.id}` }).click();
    await page.getByRole("button", { name: "Yes" }).click();
    await first.asked;
    await first.drain(60_000);
    await page.getByText(first.id, { exact: true }).waitFor({ state: "detached" });
    await page.getByText(second.id, { exact: true }).waitFor();
    assert.deepEqual(errors, []);
  },
);

test("the page says that the servers cannot be reached", { timeout: 600_000 }, async (t) => {
  const place = createPlace(t);
  const config = { fleet: { servers: ["127.0.0.1:1"] } };
  writeFileSync(join(place.home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const { address } = await startServe(t, place);
  const { page, show } = await openConsole(await startBrowser(t), address);
  await show("fleet");
  await page.getByText(/cannot be reached at 127\.0\.0\.1:1/).waitFor();
  await checkPage(page, "a fleet that cannot be reached");
});
