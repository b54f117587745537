import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as posix from "node:path/posix";
import { test } from "node:test";
import * as fc from "fast-check";
import { runs } from "../../../test/support/property-runs.ts";
import { Buffer as WebBuffer, isUtf8 } from "./bytes.ts";
import * as own from "./posix-path.ts";
import { sha256 } from "./sha256.ts";

const text = fc.string({ unit: "binary", maxLength: 200 });
const path = fc
  .array(fc.constantFrom("a", "b.c", "..", ".", "", "/"), { maxLength: 8 })
  .map((names) => names.join("/"));

test("hashes are those of Node", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.deepEqual(
        Buffer.from(sha256(bytes)).toString("hex"),
        createHash("sha256").update(bytes).digest("hex"),
      );
    }),
    { numRuns: runs(200) },
  );
});

test("bytes of texts, and texts of bytes, are those of Node", () => {
  fc.assert(
    fc.property(text, fc.nat(200), fc.nat(200), (value, start, end) => {
      assert.equal(WebBuffer.byteLength(value), Buffer.byteLength(value));
      const [web, node] = [WebBuffer.from(value), Buffer.from(value)];
      for (const encoding of ["utf8", "latin1", "base64", "base64url", "hex"] as const) {
        assert.equal(web.toString(encoding, start, end), node.toString(encoding, start, end));
        const coded = node.toString(encoding);
        assert.deepEqual([...WebBuffer.from(coded, encoding)], [...Buffer.from(coded, encoding)]);
      }
      const ascii = value.replaceAll(/[^\x20-\x7e]/g, "\n");
      assert.deepEqual([...WebBuffer.from(ascii, "base64")], [...Buffer.from(ascii, "base64")]);
    }),
    { numRuns: runs(300) },
  );
});

test("bytes are copied, joined, compared and checked as by Node", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 30 }),
      fc.uint8Array({ maxLength: 30 }),
      fc.nat(40),
      (a, b, at) => {
        assert.equal(WebBuffer.concat([a, b]).toString("hex"), Buffer.concat([a, b]).toString("hex"));
        assert.equal(WebBuffer.compare(a, b), Buffer.compare(a, b));
        const [web, node] = [WebBuffer.alloc(20), Buffer.alloc(20)];
        const start = Math.min(at, 20);
        assert.equal(WebBuffer.from(a).copy(web, start), Buffer.from(a).copy(node, start));
        assert.deepEqual([...web], [...node]);
        assert.equal(web.write("aé€💥".repeat(3)), node.write("aé€💥".repeat(3)));
        assert.equal(isUtf8(a), process.getBuiltinModule("node:buffer").isUtf8(a));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("paths are those of Node", () => {
  fc.assert(
    fc.property(path, path, (a, b) => {
      assert.equal(own.normalize(a), posix.normalize(a), `normalize ${a}`);
      assert.equal(own.join(a, b), posix.join(a, b), `join ${a} ${b}`);
      assert.equal(own.dirname(a), posix.dirname(a), `dirname ${a}`);
      assert.equal(own.basename(a), posix.basename(a), `basename ${a}`);
      assert.equal(own.resolve("/x", a, b), posix.resolve("/x", a, b), `resolve ${a} ${b}`);
    }),
    { numRuns: runs(500) },
  );
});
