import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import type { Tool } from "../src/core/tool.ts";
import { createEngine } from "../src/app/host/create-engine.ts";
import { provide } from "../src/core/context.ts";
import { call, codeOf, textOf } from "./support/engines/engine.ts";
import { compile } from "./support/programs/compile.ts";

/** What the compiled fixture and the package give; the fixture itself is not part of this project's compilation. */
interface Decorated {
  readonly Shop: new () => object;
  readonly Bakery: (new () => object) & object;
  readonly Currency: { readonly name: string };
  readonly toolsOf: (instance: object) => Tool[];
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-decorated-")));
after(() => rmSync(folder, { recursive: true, force: true }));
// The fixture that must not compile is compiled too: each of its faults is expected by name, and all of them must be there.
compile(resolve(import.meta.dirname, "fixtures/decorated"), folder);
const shop = await import(pathToFileURL(join(folder, "shop.js")).href);
const { toolsOf } = await import("toolwright");
const { Shop, Bakery, Currency } = shop as Decorated;

test("decorated methods are tools under their names in snake_case, or the name that was given", () => {
  assert.deepEqual(namesOf(new Shop()), ["put_on_shelf", "price_of", "opening-hours", "close_shop", "greet"]);
});

test("an inherited tool is a tool; one that is overridden without the decorator is not", () => {
  const names = namesOf(new Bakery());
  assert.deepEqual(names.toSorted(), ["bake_http_cake2_go", "greet", "hours", "price_of", "put_on_shelf"]);
});

test("a method sees its own instance: private fields, overrides and nobody else's state", async () => {
  const [first, second] = [engineOf(new Shop()), engineOf(new Bakery())];
  await first.run(call("put_on_shelf", { item: "tea", count: 2 }));
  assert.equal(textOf(await first.run(call("put_on_shelf", { item: "tea" }))), "3");
  assert.equal(textOf(await second.run(call("put_on_shelf", { item: "tea" }))), "1");
  assert.equal(textOf(await first.run(call("greet"))), "welcome to the shop");
  assert.equal(textOf(await second.run(call("greet"))), "welcome to the bakery");
  assert.equal(textOf(await second.run(call("hours"))), "4 to 12");
});

test("a method receives the context of its call", async () => {
  const engine = createEngine({ tools: toolsOf(new Shop()), context: [provide(Currency, "euros")] });
  const result = await engine.run({ id: "call-of-price", name: "price_of", input: { item: "bread" } });
  assert.equal(textOf(result), "bread: 5 euros (call-of-price)");
});

test("the input of a method is checked against its schema", async () => {
  const engine = engineOf(new Shop());
  assert.equal(codeOf(await engine.run(call("put_on_shelf", { count: 2 }))), "INVALID_INPUT");
  assert.equal(codeOf(await engine.run(call("put_on_shelf", { item: "tea", count: 0 }))), "INVALID_INPUT");
  assert.equal(codeOf(await engine.run(call("price_of", { item: ["tea"] }))), "INVALID_INPUT");
  assert.equal(codeOf(await engine.run(call("close_shop", { now: true }))), "INVALID_INPUT");
});

test("static methods are tools of the class", async () => {
  assert.deepEqual(namesOf(Bakery), ["motto"]);
  assert.equal(textOf(await engineOf(Bakery).run(call("motto"))), "made by Bakery");
});

test("an object without decorated methods has no tools", () => {
  assert.deepEqual(toolsOf({ run: () => 1 }), []);
  assert.deepEqual(toolsOf(Object.create(null)), []);
});

function namesOf(instance: object): readonly string[] {
  return toolsOf(instance).map((tool) => tool.name);
}

function engineOf(instance: object) {
  return createEngine({ tools: toolsOf(instance) });
}
