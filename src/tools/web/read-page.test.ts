import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPage, type PageRequest } from "./read-page.ts";

const FOLDER = "test/fixtures/pages";
const URL = "https://example.com/x/y";

function read(html: string, more: Partial<PageRequest> = {}): string {
  const page = readPage({ html, url: URL, format: "markdown", ...more });
  return "text" in page ? page.text : page.problem;
}

for (const name of ["article", "code", "cookie-wall", "docs", "forum", "frames", "rtl", "spa", "table"]) {
  test(`a page as Markdown: ${name}`, () => {
    const text = read(readFileSync(join(FOLDER, `${name}.html`), "utf8"));
    const file = join(FOLDER, `${name}.md`);
    // A missing snapshot is written, to be read and committed.
    if (!existsSync(file) && process.env["CI"] !== "true") writeFileSync(file, `${text}\n`);
    assert.equal(`${text}\n`, readFileSync(file, "utf8"));
  });
}

test("a huge page is read whole", () => {
  const paragraphs = Array.from(
    { length: 2000 },
    (_, index) => `<p>Paragraph ${index} has <b>some</b> text.</p>`,
  );
  const text = read(`<html><body><main>${paragraphs.join("\n")}</main></body></html>`);
  assert.match(text, /^Paragraph 0 has \*\*some\*\* text\.\n\n/);
  assert.match(text, /Paragraph 1999 has \*\*some\*\* text\.$/);
});

const LIST = "<ul><li>one</li><li class=x>two</li></ul><p>Text.</p>";

test("a selector chooses elements, in every format", () => {
  assert.equal(read(LIST, { selector: "li.x", format: "text" }), "two");
  assert.equal(read(LIST, { selector: "li", format: "html" }), '<li>one</li>\n\n<li class="x">two</li>');
  assert.equal(read(LIST, { selector: "p" }), "Text.");
  assert.equal(read(LIST, { selector: "h1" }), "no match");
  assert.equal(read(LIST, { selector: "li[" }), "selector");
});

test("plain text keeps the lines of blocks and the cells of tables", () => {
  const html =
    "<h1>A</h1><p>b <b>c</b><br>d</p><table><tr><td>1</td><td>2</td></tr></table><pre>x\n  y</pre>";
  assert.equal(read(html, { format: "text" }), "A\n\nb c\nd\n\n1\t2\n\nx\n  y");
});

test("links are relative to the base of the page, and those that run code are removed", () => {
  const html = `<html><head><base href="/base/"></head><body><p><a href="a">one</a> <a href="javascript:x()">two</a> <img src="data:,x" alt="three"></p></body></html>`;
  assert.equal(read(html), "[one](https://example.com/base/a) two");
});

test("broken markup is read", () => {
  assert.equal(read("<p>one<p>two<b>three"), "one\n\ntwo**three**");
  assert.equal(read(""), "");
});
