// The browser tools are in a group that is off at first. Nothing is started before the first call that needs a page.
import assert from "node:assert/strict";
import { createEngine } from "toolwright";
import { browserTools, childEnvironment } from "toolwright/tools";

const engine = createEngine({
  tools: browserTools({
    root: process.cwd(),
    environment: childEnvironment(process.env),
    // The browser and its pages reach what `web_fetch` may reach, and nothing else.
    web: { blockedDomains: ["ads.example"] },
    browser: { idleSeconds: 60 },
  }),
});
const before = engine.list().length;
engine.groups.activate("browser");
console.log(engine.list().map(({ name }) => name));
assert.equal(before, 0);

const empty = await engine.run({ id: "1", name: "get_page", input: {} });
console.log(empty.content);
assert.ok(!empty.ok && empty.error.message === "no page is open");
await engine.close();
