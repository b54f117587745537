// A preset fills a parameter. The model cannot see or set a hidden one; an overridable one is shown as a default.
import assert from "node:assert/strict";
import {
  createEngine,
  createKey,
  defineTool,
  object,
  optional,
  overridable,
  provide,
  string,
} from "toolwright";

const Locale = createKey<string>("Locale");

const weather = defineTool({
  name: "weather",
  description: "Weather for a city.",
  input: object({
    api_key: string("The service's key"),
    city: string("The city"),
    unit: optional(string("celsius or fahrenheit")),
    locale: optional(string("The language")),
  }),
  // Filled from the context where neither the model nor a preset gives it.
  inject: { locale: Locale },
  risk: "low",
  run: ({ api_key, city, unit, locale }) => ({ keyLength: api_key.length, city, unit, locale }),
});

const engine = createEngine({ context: [provide(Locale, "nb")] });
engine.add(weather, { presets: { api_key: "key-1234567890", unit: overridable("celsius") } });

const [spec] = engine.list();
console.log(spec?.input);
assert.deepEqual(Object.keys(spec?.input["properties"] ?? {}), ["city", "unit", "locale"]);
assert.deepEqual(spec?.input["required"], ["city"]);

const run = async (input: object) => {
  const result = await engine.run({ id: "1", name: "weather", input });
  return result.ok ? result.data : result.error.code;
};
assert.deepEqual(await run({ city: "Oslo" }), { keyLength: 14, city: "Oslo", unit: "celsius", locale: "nb" });
// The model overrides the preset, which overrides the context.
assert.deepEqual(await run({ city: "Oslo", unit: "kelvin", locale: "en" }), {
  keyLength: 14,
  city: "Oslo",
  unit: "kelvin",
  locale: "en",
});
assert.equal(await run({ city: "Oslo", api_key: "forged" }), "INVALID_INPUT");
await engine.close();
