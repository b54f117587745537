import assert from "node:assert/strict";
import { test } from "node:test";
import { generateApi } from "../../../test/support/generators/generate-api.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { openApi, run, specFile } from "../../../test/support/servers/openapi.ts";
import { brokenLimits } from "../../../test/support/models/provider-limits.ts";
import { serveDocument } from "../../../test/support/servers/serve-document.ts";

const OPERATIONS = isLong ? 500 : 100;

test(`each of ${OPERATIONS} generated operations is a valid tool for every provider, and its call reaches a server of that document unchanged`, async (t) => {
  const { document, calls } = generateApi(OPERATIONS, 26);
  const { port, origin } = await serveDocument(t, document);
  const { engine } = await openApi(t, { port, url: origin, spec: specFile(t, document) });
  assert.deepEqual(engine.sources.problems(), []);
  for (const format of ["openai", "openai-responses", "anthropic", "google", "mcp"] as const)
    assert.deepEqual(
      engine.specs(format).flatMap((one) => brokenLimits(one, format)),
      [],
    );
  for (const { tool, input, expected } of calls) {
    const result = await run(engine, tool, input);
    const sorted = (list: typeof expected.parameters) => list.map((one) => one.join("\0")).toSorted();
    const understood = (result.ok ? result.data : {}) as unknown as typeof expected;
    assert.ok(result.ok, JSON.stringify([tool, input, result.content]));
    assert.deepEqual(
      { ...understood, parameters: sorted(understood.parameters) },
      { ...expected, parameters: sorted(expected.parameters) },
      tool,
    );
    assert.doesNotMatch(JSON.stringify(result.content), /does not match the schema/);
  }
});
