import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { called, conversations, resultOf, results, said } from "../../../test/support/agents/messages.ts";
import { estimateText } from "../../engine/registry/estimate-text.ts";
import { estimateTokens } from "./estimate-tokens.ts";

const EMPTY = { instructions: "", messages: [], tools: [] } as const;

/** Texts with about what tokenizers make of them: the estimate may be higher, but not by so much that it is of no use. */
const KNOWN: readonly (readonly [string, number])[] = [
  ["The quick brown fox jumps over the lazy dog.", 10],
  ["function add(left: number, right: number): number {\n  return left + right;\n}", 21],
  ['{"path":"src/index.ts","start_line":10,"end_line":20}', 19],
  ["这是一个关于工具调用的句子。", 12],
  ["Съешь же ещё этих мягких французских булок", 18],
  ["SGVsbG8gd29ybGQhIFRoaXMgaXMgYmFzZTY0Lg==", 22],
  ["2024-01-15T10:30:00.000Z", 16],
];

describe("estimateTokens", () => {
  for (const [text, tokens] of KNOWN) {
    it(`says of ${JSON.stringify(text)} no less than it takes, and no more than twice that`, () => {
      const estimate = estimateText(text);
      assert.ok(estimate >= tokens && estimate <= tokens * 2, `${estimate} for ${tokens}`);
    });
  }

  it("counts instructions, messages and tools, and never less for more", () => {
    fc.assert(
      fc.property(conversations, fc.string(), (messages, instructions) => {
        const all = estimateTokens({ ...EMPTY, messages, instructions });
        assert.ok(all >= estimateTokens({ ...EMPTY, messages: messages.slice(1), instructions }));
        assert.ok(all >= estimateTokens({ ...EMPTY, messages }));
        assert.ok(Number.isInteger(all) && all > 0);
      }),
    );
    const tool = { name: "look", description: "Looks at a thing.", input: { type: "object" } } as const;
    assert.ok(estimateTokens({ ...EMPTY, tools: [tool] }) > estimateTokens(EMPTY) + 10);
  });

  it("counts an image as a constant, and data for programs not at all", () => {
    const picture = (data: string) =>
      ({ role: "user", content: [{ type: "image", data, mimeType: "image/png" }] }) as const;
    assert.equal(
      estimateTokens({ ...EMPTY, messages: [picture("A")] }),
      estimateTokens({ ...EMPTY, messages: [picture("A".repeat(1_000_000))] }),
    );
    const plain = resultOf("c1");
    const withData = { ...plain, data: { rows: "x ".repeat(1000) } };
    const tokens = [plain, withData].map((one) => estimateTokens({ ...EMPTY, messages: [results(one)] }));
    assert.equal(tokens[0], tokens[1]);
  });

  it("counts the input of a call, also unreadable input", () => {
    const small = estimateTokens({ ...EMPTY, messages: [called({ id: "c" })] });
    assert.ok(
      estimateTokens({ ...EMPTY, messages: [called({ id: "c", input: "word ".repeat(100) })] }) > small + 100,
    );
    assert.ok(estimateTokens({ ...EMPTY, messages: [called({ id: "c", input: undefined })] }) > 0);
  });

  it("estimates a message once", () => {
    let reads = 0;
    const message = said("hello");
    const watched = new Proxy(message, {
      get: (target, key) => (key === "content" && (reads += 1), Reflect.get(target, key)),
    });
    for (let time = 0; time < 3; time += 1) estimateTokens({ ...EMPTY, messages: [watched] });
    assert.equal(reads, 1);
  });
});
