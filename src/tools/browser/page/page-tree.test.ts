import assert from "node:assert/strict";
import { test } from "node:test";
import { matchingLines, toLines, toTreePage, type TreeNode } from "./page-tree.ts";

const VIEWPORT = { width: 1000, height: 500 };

/** Numbers are those in the refs of the elements. */
function pageOf(nodes: readonly TreeNode[], page = 1, secrets: readonly string[] = []) {
  const options = {
    viewport: VIEWPORT,
    isSecret: (text: string) => secrets.includes(text),
    numberOf: (_: TreeNode, ref: string) => Number(ref.slice(1)),
  };
  return toTreePage(toLines(nodes, options), page);
}

const at = (y: number) => ({ x: 0, y, width: 100, height: 20 });

test("elements that can be clicked have a number, and every element its name, state and address", () => {
  const { text } = pageOf([
    { role: "heading", level: 1, name: "Your  cart" },
    { role: "textbox", name: "Voucher", ref: "e1", text: "SPRING", placeholder: "code" },
    { role: "button", name: "Pay", ref: "e2", disabled: true },
    { role: "checkbox", name: "Gift", ref: "e3", checked: "mixed" },
    { role: "link", name: "Help", ref: "e4", url: "/help" },
    { role: "generic", cursor: "pointer", ref: "e5", children: ["Open"] },
    { role: "generic", ref: "e6", children: ["Only text"] },
  ]);
  assert.equal(
    text,
    [
      'heading 1 "Your cart"',
      '[1] textbox "Voucher" placeholder "code" = SPRING',
      '[2] button "Pay" (disabled)',
      '[3] checkbox "Gift" (partly checked)',
      '[4] link "Help" -> /help',
      "[5] generic",
      "  Open",
      "Only text",
    ].join("\n"),
  );
});

test("what is in a password field is not shown", () => {
  const { text } = pageOf([{ role: "textbox", name: "Pin", ref: "e1", text: "4711" }], 1, ["4711"]);
  assert.equal(text, '[1] textbox "Pin" = [hidden]');
});

test("a tree that is too long has dialogs and what is in view first, in the order of the page, and nothing twice or never", () => {
  const rows = Array.from({ length: 2000 }, (_, index): TreeNode => ({
    role: "link",
    name: `Row ${index}`,
    ref: `e${index + 1}`,
    box: at(index * 20),
  }));
  const dialog: TreeNode = {
    role: "dialog",
    name: "Cookies",
    box: at(90_000),
    children: [{ role: "button", name: "Accept", ref: "e5000", box: at(90_000) }],
  };
  const first = pageOf([...rows, dialog]);
  assert.match(first.text, /^\[1\] link "Row 0"\n\[2\] link "Row 1"\n/);
  assert.match(first.text, /dialog "Cookies"\n {2}\[5000\] button "Accept"$/);
  const seen: string[] = [];
  for (let page = 1; page <= first.pages; page += 1) {
    const { text, shown, total } = pageOf([...rows, dialog], page);
    assert.ok(Buffer.byteLength(text) <= 9000);
    assert.deepEqual([text.split("\n").length, total], [shown, 2002]);
    seen.push(...text.split("\n"));
  }
  assert.deepEqual([seen.length, new Set(seen).size], [2002, 2002]);
  assert.equal(pageOf([...rows, dialog], first.pages + 1).text, "");
});

test("a deep tree is indented only so far, and long texts are shortened", () => {
  let node: TreeNode = { role: "button", name: "x".repeat(1000), ref: "e1" };
  for (let depth = 0; depth < 50; depth += 1) node = { role: "list", children: [node] };
  const last = pageOf([node]).text.split("\n").at(-1) ?? "";
  assert.match(last, /^ {16}\[1\] button "x+…?"/);
  assert.ok(last.length < 200);
});

test("a search finds the lines that have all words", () => {
  const lines = toLines(
    [
      { role: "button", name: "Save draft", ref: "e1" },
      { role: "button", name: "Save", ref: "e2" },
      { role: "paragraph", children: ["The draft was saved."] },
    ],
    { viewport: VIEWPORT, isSecret: () => false, numberOf: (_, ref) => Number(ref.slice(1)) },
  );
  assert.deepEqual(
    matchingLines(lines, "DRAFT save").map(({ text }) => text),
    ['[1] button "Save draft"', "The draft was saved."],
  );
});
