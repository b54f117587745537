import assert from "node:assert/strict";
import test from "node:test";
import { checkArchitecturePage } from "../scripts/docs/architecture-page.ts";
import { checkCliPage, writeCliPage } from "../scripts/docs/cli-page.ts";
import { checkDialectsPage, writeDialectsPage } from "../scripts/docs/dialects-page.ts";
import { checkConfigurationPage, writeConfigurationPage } from "../scripts/docs/configuration-page.ts";
import { checkErrorsPage, writeErrorsPage } from "../scripts/docs/errors-page.ts";
import { readPage, type Page } from "../scripts/docs/page.ts";
import { checkHeadings, checkNames, checkReferences, checkSnippets } from "../scripts/docs/references.ts";
import { checkToolsPage, writeToolsPage } from "../scripts/docs/tools-page.ts";

test("a page of errors that lacks a code, or says something else of one, is found out", () => {
  const page = readPage("docs/errors.md");
  assert.deepEqual(checkErrorsPage(page), []);
  assert.equal(checkErrorsPage(without(page, "| `DENIED` |")).length, 1);
  assert.equal(checkErrorsPage(changed(page, "| 403 |", "| 404 |")).length, 2);
  assert.equal(checkErrorsPage(withLine(page, "| `NEW_CODE` | new | model | no | 1 | 500 |")).length, 1);
});

test("a heading without a blank line before it is found out, and a comment in code is none", () => {
  const page: Page = { file: "a.md", lines: ["# A", "", "```sh", "x", "# y", "```", "## B"] };
  assert.deepEqual(checkHeadings(page), ['a.md:7: no blank line before "## B"']);
});

test("a page of settings that lacks one, invents one, or gives one another flag is found out", () => {
  const page = readPage("docs/configuration.md");
  assert.deepEqual(checkConfigurationPage(page), []);
  assert.equal(checkConfigurationPage(without(page, "| `shell` |")).length, 1);
  assert.equal(checkConfigurationPage(without(page, "`shell`: with")).length, 1);
  assert.equal(checkConfigurationPage(changed(page, "| `--mode` |", "| `--moed` |")).length, 2);
  assert.equal(checkConfigurationPage(withLine(page, "| `speed` | – | – | 1 | – |")).length, 1);
});

test("a page of tools that lacks one, invents one, or says something else of one is found out", () => {
  const page = readPage("docs/tools.md");
  assert.deepEqual(checkToolsPage(page), []);
  assert.ok(checkToolsPage(changed(page, "### `think`", "### `thunk`")).length >= 2);
  assert.equal(checkToolsPage(without(page, "| `max_depth`")).length, 1);
  assert.equal(checkToolsPage(changed(page, "(#shell) | high |", "(#shell) | low |")).length, 2);
  assert.equal(checkToolsPage(changed(page, "| list | 1000 items", "| list | 2000 items")).length, 2);
});

test("a page of dialects that lacks one, invents one, or shows another call is found out", () => {
  const page = readPage("docs/dialects.md");
  assert.deepEqual(checkDialectsPage(page), []);
  assert.equal(checkDialectsPage(without(page, "| `hermes` |")).length, 1);
  assert.equal(checkDialectsPage(withLine(page, "| `martian` | Mars | `ls!` |")).length, 1);
  assert.equal(checkDialectsPage(changed(page, "[TOOL_CALLS]ls[ARGS]", "[TOOL_CALLS]ls")).length, 2);
});

test("a page of commands has the usage, flags and examples of each, and no other", async () => {
  const page = readPage("docs/cli.md");
  assert.deepEqual(await checkCliPage(page), []);
  assert.equal((await checkCliPage(changed(page, "## doctor", "## dr"))).length, 1);
  assert.deepEqual(await checkCliPage(without(page, "| `--envelope` |")), [
    'docs/cli.md, call: this line is missing: | `--envelope` | print the answer as {"tool_success": …}, also on failure |',
    'docs/cli.md, batch: this line is missing: | `--envelope` | print the answers as {"tool_success": …} |',
  ]);
  assert.equal((await checkCliPage(without(page, "toolwright tool check PATH"))).length, 1);
  assert.equal((await checkCliPage(without(page, "toolwright restore 1f0c22ab --force"))).length, 1);
  assert.equal((await checkCliPage(withLine(page, "See `toolwright frob`."))).length, 1);
  assert.equal((await checkCliPage(withLine(page, "It's the user's --nope, isn't it?"))).length, 1);
  assert.equal((await checkCliPage(changed(page, "Run one tool and", "--to: run one tool and"))).length, 2);
  assert.deepEqual(
    await checkCliPage(withLine(page, "`toolwright call shell command='git log --oneline'`")),
    [],
  );
});

test("the architecture page agrees with the rooms and imports, and each mistake on it is found", () => {
  const page = readPage("docs/architecture.md");
  assert.deepEqual(checkArchitecturePage(page), []);
  const last = page.lines.findLast((line) => line.includes("- `src/")) ?? "";
  for (const wrong of [
    without(page, "![The rooms"),
    without(page, "| `util`"),
    changed(page, "`src/app/cli/calls/call.ts`", "`src/app/cli/setup/init.ts`"),
    changed(page, last, "- `src/no.ts`"),
  ])
    assert.ok(checkArchitecturePage(wrong).length > 0);
});

test("a table that lacks a row, or has a wrong one, is written from the code", async () => {
  for (const [file, write, wrong] of [
    ["docs/errors.md", writeErrorsPage, (page: Page) => without(page, "| `DENIED` |")],
    ["docs/dialects.md", writeDialectsPage, (page: Page) => without(page, "| `hermes` |")],
    [
      "docs/configuration.md",
      writeConfigurationPage,
      (page: Page) => withLine(page, "| `speed` | – | – | 1 | – |"),
    ],
    ["docs/cli.md", writeCliPage, (page: Page) => changed(page, "| `--problems` |", "| `--problem` |")],
    ["docs/tools.md", writeToolsPage, (page: Page) => changed(page, "(#shell) | high |", "(#shell) | low |")],
    ["docs/tools.md", writeToolsPage, (page: Page) => without(page, "| `max_depth`")],
  ] as const) {
    const page = readPage(file);
    assert.notDeepEqual(wrong(page).lines, page.lines, `${file}: the test changes nothing`);
    assert.deepEqual(await write(page), page.lines, `${file} is up to date`);
    assert.deepEqual(await write(wrong(page)), page.lines, file);
  }
});

test("a file that the README of a folder names and that is not there is found out", () => {
  const page = (line: string): Page => ({ file: "src/policy/README.md", lines: [line] });
  for (const good of ["`order.ts`", "`match/`", "`engine/pipeline/run.ts`", "`test/contracts/`", "`allow`"]) {
    assert.deepEqual(checkNames(page(good)), [], good);
  }
  for (const bad of ["`no.ts`", "`no/`", "`engine/no.ts`"])
    assert.equal(checkNames(page(bad)).length, 1, bad);
});

test("a link, a heading or a file that is not there is found out", () => {
  const page = (line: string): Page => ({ file: "docs/library.md", lines: [line] });
  for (const good of ["[a](errors.md#the-codes)", "[b](https://example.com/x.md)", "`src/index.ts`"]) {
    assert.deepEqual(checkReferences(page(good)), [], good);
  }
  for (const bad of ["[a](nowhere.md)", "[b](errors.md#no-such-heading)", "[c](#nor-this)", "`src/no.ts`"]) {
    assert.equal(checkReferences(page(bad)).length, 1, bad);
  }
});

test("a block of code must stand in the example it names", () => {
  const page = (...lines: string[]): Page => ({ file: "docs/library.md", lines });
  const good = ["```ts examples/retry.ts", "let lookups = 0;", "// …", "  lookups += 1;", "```"];
  assert.deepEqual(checkSnippets(page(...good)), []);
  assert.equal(checkSnippets(page("```ts examples/retry.ts", "let lookups = 1;", "```")).length, 1);
  assert.equal(checkSnippets(page("```ts", "let lookups = 0;", "```")).length, 1);
  assert.deepEqual(checkSnippets(page("```json", "{}", "```")), []);
});

/** A page that says exactly what the table of commands does. */
function without({ file, lines }: Page, start: string): Page {
  return { file, lines: lines.filter((line) => !line.startsWith(start)) };
}

function changed({ file, lines }: Page, from: string, to: string): Page {
  return { file, lines: lines.map((line) => line.replace(from, to)) };
}

function withLine({ file, lines }: Page, line: string): Page {
  return { file, lines: [...lines, line] };
}
