// Classes as tools: one instance per customer, presets that the model neither sees nor sets, groups that are switched together.
import assert from "node:assert/strict";
import { createEngine, integer, object, overridable, preset, string, tool, toolsOf } from "toolwright";

class Shop {
  readonly #orders = new Map<string, number>();

  @tool({
    description: "Places an order.",
    input: object({
      customer: string("The customer"),
      item: string("The item"),
      amount: integer("How many"),
      region: string("Where it is sent"),
    }),
    risk: "low",
  })
  placeOrder({ customer, item, amount, region }: Order): string {
    this.#orders.set(`${customer} ${item}`, amount);
    return `${amount} × ${item} for ${customer}, to ${region}`;
  }

  @tool({ description: "Cancels all orders.", risk: "low", effects: "idempotent" })
  cancelAll(): number {
    const { size } = this.#orders;
    this.#orders.clear();
    return size;
  }
}

interface Order {
  readonly customer: string;
  readonly item: string;
  readonly amount: number;
  readonly region: string;
}

const engine = createEngine();
const [place, cancel] = toolsOf(new Shop());
assert.ok(place && cancel);
// The model neither sees nor sets customer and region; the region is no secret and not masked. It may change the amount.
engine.add(place, {
  presets: {
    customer: "customer-4711",
    region: preset("eu-west-1", { isSecret: false }),
    amount: overridable(1),
  },
});
engine.groups.create("danger", { description: "Things that cannot be undone", active: false });
engine.add(cancel, { group: "danger" });

const [spec] = engine.specs("anthropic");
console.log(spec?.name, Object.keys(spec?.input_schema.properties ?? {}));
assert.deepEqual(Object.keys(spec?.input_schema.properties ?? {}), ["item", "amount"]);
const ordered = await engine.run({ id: "1", name: "place_order", input: { item: "lamp" } });
assert.match(JSON.stringify(ordered.content), /1 × lamp for .*, to eu-west-1/);
assert.doesNotMatch(JSON.stringify(ordered), /customer-4711/, "a preset is masked");

const refused = await engine.run({ id: "2", name: "cancel_all", input: {} });
assert.ok(!refused.ok);
assert.equal(refused.error.code, "TOOL_DISABLED");
// One session gets the group; others do not.
engine.session("admin").groups.activate("danger");
assert.ok((await engine.run({ id: "3", name: "cancel_all", input: {} }, { session: "admin" })).ok);
assert.ok(!(await engine.run({ id: "4", name: "cancel_all", input: {} }, { session: "other" })).ok);
await engine.close();
