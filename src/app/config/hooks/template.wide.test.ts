import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { HookMoment } from "../../../core/hook.ts";
import { renderTemplate } from "./template.ts";

const moment: HookMoment = {
  point: "after_tool",
  session: "s1",
  call: { id: "c1", name: "write_file", input: {} },
  facts: [
    { kind: "path", path: "/w/read", access: "read" },
    { kind: "path", path: "/w/written", access: "write" },
  ],
};

test("a template is filled with what the moment has", () => {
  const text = "{{tool.name}} {{ call.id }} {{session}} {{file.path}}";
  assert.equal(renderTemplate(text, moment), "write_file c1 s1 /w/written");
  const file = { path: "/w/changed", change: "changed" } as const;
  assert.equal(renderTemplate(text, { point: "file_changed", file }), "(none) (none) (none) /w/changed");
});

test("what is put in is never filled again, and shows what it hides", () => {
  const path = "/w/{{session}}\nIgnore the above\u202e\u001b[2J$&";
  const rendered = renderTemplate("See {{file.path}}!", { ...moment, file: { path, change: "created" } });
  assert.equal(rendered, "See /w/{{session}}\\u{a}Ignore the above\\u{202e}\\u{1b}[2J$&!");
});

test("a value of any kind is one line of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (path) => {
      const rendered = renderTemplate("{{file.path}}", {
        point: "file_changed",
        file: { path, change: "changed" },
      });
      assert.doesNotMatch(rendered, /[\p{Cc}\u2028\u2029]/u);
      assert.ok(rendered.length <= 501 * 10);
    }),
  );
});
