import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { constants, deflateRawSync } from "node:zlib";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { assemble, pdf } from "../../../../test/support/files/pdf.ts";
import { runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Reply } from "../../../core/content.ts";
import { readFile } from "./read-file.ts";

type Input = { readonly start_line?: number; readonly limit?: number };

function reader(context: TestContext): {
  readonly path: string;
  readonly read: (input?: Input, signal?: AbortSignal) => Promise<Reply>;
} {
  const root = temporaryFolder(context);
  const tool = readFile({ root });
  return {
    path: join(root, "a.pdf"),
    read: (input = {}, signal = new AbortController().signal) =>
      runTool(tool, { path: "a.pdf", ...input }, { signal }),
  };
}

test("the text of a PDF comes page by page", async (context) => {
  const { path, read } = reader(context);
  writeFileSync(path, pdf(["First page", "Second page", "Third page"]));
  const reply = await read();
  assert.equal(
    textOf(reply),
    "[page 1 of 3]\nFirst page\n[page 2 of 3]\nSecond page\n[page 3 of 3]\nThird page",
  );
  assert.deepEqual(reply.data, { path: "a.pdf", start_page: 1, pages: 3, total_pages: 3 });
});

test("start_line and limit count pages, and the answer says how to continue", async (context) => {
  const { path, read } = reader(context);
  writeFileSync(path, pdf(["one", "two", "three", "four"]));
  assert.equal(
    textOf(await read({ start_line: 2, limit: 2 })),
    "[pages 2 to 3 of 4 shown; continue with start_line=4]\n[page 2 of 4]\ntwo\n[page 3 of 4]\nthree",
  );
  assert.match(textOf(await read({ start_line: 5 })), /has 4 pages: page 5 does not exist/);
});

test("continuing as the notice says returns every page once", async (context) => {
  const { path, read } = reader(context);
  writeFileSync(path, pdf(Array.from({ length: 40 }, (_, index) => `page-${index} ${"x".repeat(900)}`)));
  const seen: string[] = [];
  for (let next: number | undefined = 1; next !== undefined;) {
    const text = textOf(await read({ start_line: next }));
    assert(Buffer.byteLength(text) <= 10 * 1024);
    seen.push(...(text.match(/page-\d+/g) ?? []));
    const match = /start_line=(\d+)/.exec(text);
    next = match === null ? undefined : Number(match[1]);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 40 }, (_, index) => `page-${index}`),
  );
});

test("a PDF without text is handed on as a file, if it is small", async (context) => {
  const { path, read } = reader(context);
  const bytes = pdf(["", ""]);
  writeFileSync(path, bytes);
  const { content } = await read();
  assert.deepEqual(content[1], {
    type: "file",
    data: bytes.toString("base64"),
    mimeType: "application/pdf",
    name: "a.pdf",
  });
  writeFileSync(path, Buffer.concat([bytes, Buffer.from("%".repeat(6 * 1024 * 1024))]));
  await assert.rejects(read(), /is a PDF without text, over 5 MB \(\d+ bytes\)/);
});

test("a PDF that is encrypted, broken, too large or too long is refused by its reason", async (context) => {
  const { path, read } = reader(context);
  const key = `<${"00".repeat(32)}>`;
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${key} /U ${key} /P -4 >> /ID [<00> <00>]`;
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [pdf(["secret"], encrypt), /is an encrypted PDF/],
    [Buffer.from("%PDF-1.4\nnothing of the kind"), /is a PDF that cannot be read: .*\(\d+ bytes\)/],
    [pdf(Array.from({ length: 5001 }, () => "")), /is a PDF of 5001 pages, over 5000/],
  ];
  for (const [bytes, expected] of cases) {
    writeFileSync(path, bytes);
    await assert.rejects(read(), (error) => {
      assert(error instanceof ToolError);
      assert.equal(error.code, "TOOL_FAILED");
      assert.match(error.message, expected);
      return true;
    });
  }
  truncateSync(path, 32 * 1024 * 1024 + 1);
  await assert.rejects(read(), /is a PDF over 32 MB \(33554433 bytes\)/);
});

test("reading a small PDF that unpacks without end is aborted, and the process survives", async (context) => {
  const { path, read } = reader(context);
  // 2 GB of spaces: a flushed megabyte ends at a byte and refers to nothing before it, so that it can be repeated.
  const [header, megabyte] = [Buffer.from([0x78, 0x9c]), flushed(Buffer.alloc(1024 * 1024, " "))];
  const bomb = Buffer.concat([header, ...Array.from({ length: 2048 }, () => megabyte)]);
  const stream = Buffer.concat([
    Buffer.from(`<< /Length ${bomb.length} /Filter /FlateDecode >>\nstream\n`),
    bomb,
    Buffer.from("\nendstream"),
  ]);
  writeFileSync(
    path,
    assemble([
      stream,
      "<< /Type /Page /Parent 3 0 R /MediaBox [0 0 612 792] /Contents 1 0 R >>",
      "<< /Type /Pages /Kids [2 0 R] /Count 1 >>",
      "<< /Type /Catalog /Pages 3 0 R >>",
    ]),
  );
  await assert.rejects(read(), /used too much memory/);
  writeFileSync(path, pdf(["still here"]));
  assert.match(textOf(await read()), /still here/);
});

function flushed(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
}

test("an aborted call ends the reading with its reason", async (context) => {
  const { path, read } = reader(context);
  writeFileSync(path, pdf(["one"]));
  const controller = new AbortController();
  const reading = read({}, controller.signal);
  controller.abort(new ToolError("CANCELLED", "enough"));
  await assert.rejects(reading, /enough/);
});

test("a text that has the mark of a PDF in it is a text; one behind blanks or bytes that are no text is a PDF", async (context) => {
  const root = temporaryFolder(context);
  writeFileSync(join(root, "a.ts"), 'const MARK = "%PDF-1.7";\n');
  assert.match(textOf(await runTool(readFile({ root }), { path: "a.ts" })), /const MARK = "%PDF-1\.7";/);
  for (const front of ["\n ", "\0\x01junk\0"]) {
    writeFileSync(join(root, "b.pdf"), Buffer.concat([Buffer.from(front), Buffer.from("%PDF-1.4\nbroken")]));
    await assert.rejects(runTool(readFile({ root }), { path: "b.pdf" }), /is a PDF that cannot be read/);
  }
});
