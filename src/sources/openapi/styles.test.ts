import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { openApi, run, serveApi, specFile } from "../../../test/support/servers/openapi.ts";
import { toRequest } from "./request.ts";
import { styleOf } from "./styles.ts";
import type { Slot } from "./to-definition.ts";

const ARRAY = ["blue", "black", "brown"];
const OBJECT = { R: 100, G: 200, B: 150 };

test("values are written as in the table of styles in the specification", () => {
  const table: readonly (readonly [Slot["in"], string, boolean, ...(readonly string[])])[] = [
    ["path", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["path", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["path", "label", false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"],
    ["path", "label", true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"],
    ["path", "matrix", false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"],
    ["path", "matrix", true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"],
    ["query", "form", false, "color=blue", "color=blue%2Cblack%2Cbrown", "color=R%2C100%2CG%2C200%2CB%2C150"],
    ["query", "form", true, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"],
    ["query", "spaceDelimited", false, "color=blue", "color=blue+black+brown", "color=R+100+G+200+B+150"],
    [
      "query",
      "pipeDelimited",
      false,
      "color=blue",
      "color=blue%7Cblack%7Cbrown",
      "color=R%7C100%7CG%7C200%7CB%7C150",
    ],
    [
      "query",
      "deepObject",
      true,
      "color=blue",
      "color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
      "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
    ],
    ["header", "simple", false, "blue", "blue,black,brown", "R,100,G,200,B,150"],
    ["header", "simple", true, "blue", "blue,black,brown", "R=100,G=200,B=150"],
    ["cookie", "form", false, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"],
  ];
  for (const [place, style, explode, ...expected] of table) {
    const path = place === "path" ? "/{color}" : "/";
    const slot = { key: "c", name: "color", in: place, ...styleOf(style, explode) };
    const plan = {
      method: "get",
      server: "http://a.example",
      path,
      slots: [slot],
      needsLogin: false,
    } as const;
    const written = ["blue", ARRAY, OBJECT].map((c) => {
      const { url, headers } = toRequest(plan, { c });
      const shown = {
        path: url.pathname.slice(1),
        query: url.search.slice(1),
        header: headers["color"],
        cookie: headers["cookie"],
        body: "",
      };
      return shown[place];
    });
    assert.deepEqual(written, expected, `${place} ${style} ${String(explode)}`);
  }
});

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";
const TEXT = { type: "string" };
const LIST = { type: "array", items: TEXT };

test("the fields of forms are written as their encoding says", async (t) => {
  const properties = {
    plain: LIST,
    object: { type: "object" },
    deep: { type: "object" },
    expand: LIST,
    commas: LIST,
    spread: { type: "object" },
    json: LIST,
    none: { type: ["string", "null"] },
  };
  const encoding = {
    deep: { style: "deepObject", explode: true },
    expand: { style: "deepObject", explode: true },
    commas: { explode: false },
    spread: { style: "form" },
    json: { contentType: "application/json" },
  };
  const { send } = await serveForm(t, FORM, { schema: { type: "object", properties }, encoding });
  const list = ["a", "b&c"];
  const input = {
    plain: list,
    object: { a: [1] },
    deep: { a: { b: [{ c: 1 }] } },
    expand: list,
    commas: list,
    spread: { x: 1 },
    json: list,
    none: null,
  };
  const { body } = await send(input);
  assert.deepEqual(
    [...new URLSearchParams(body)],
    [
      ["plain", "a"],
      ["plain", "b&c"],
      ["object", '{"a":[1]}'],
      ["deep[a][b][0][c]", "1"],
      ["expand[0]", "a"],
      ["expand[1]", "b&c"],
      ["commas", "a,b&c"],
      ["x", "1"],
      ["json", '["a","b&c"]'],
    ],
  );
});

test("a multipart body has a part for each value, with the type of objects and files", async (t) => {
  const file = { type: "string", format: "binary" };
  const properties = {
    note: TEXT,
    tags: LIST,
    about: { type: "object" },
    page: TEXT,
    photo: file,
    more: { type: "array", items: file },
  };
  const encoding = { page: { contentType: "text/html" }, photo: { contentType: "image/png, image/gif" } };
  const { send, engine } = await serveForm(t, MULTIPART, {
    schema: { type: "object", properties },
    encoding,
  });
  const { headers, body } = await send({
    note: 'one\r\n"two"',
    tags: ["a", "b"],
    about: { x: 1 },
    page: "<p>",
    photo: `data:image/gif;base64,${Buffer.from("--toolwright-form").toString("base64")}`,
    more: ["data:application/zip;base64,eA==", "plain"],
  });
  const type = headers["content-type"] ?? "";
  assert.equal(type, `${MULTIPART}; boundary=toolwright-form-x`);
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, part]) =>
      typeof part === "string" ? [name, part] : [name, part.name, part.type, await part.text()],
    ),
  );
  assert.deepEqual(parts, [
    ["note", 'one\r\n"two"'],
    ["tags", "a"],
    ["tags", "b"],
    ["about", '{"x":1}'],
    ["page", "<p>"],
    ["photo", "photo", "image/png", "--toolwright-form"],
    ["more", "more", "application/zip", "x"],
    ["more", "more", "application/octet-stream", "plain"],
  ]);
  assert.match(body, /name="about"\r\ncontent-type: application\/json\r\n/);
  assert.match(body, /name="page"\r\ncontent-type: text\/html\r\n/);
  assert.match(JSON.stringify(engine.list()[0]?.input), /"photo":\{[^}]*data:TYPE;base64/);
});

test("a body of any type is sent as JSON, text or the bytes of a data URL", async (t) => {
  const bodies = [
    ["*/*", { a: 1 }, "application/json", '{"a":1}'],
    ["text/*", "one", "text/plain", "one"],
    ["application/octet-stream", "data:image/png;base64,eHk=", "application/octet-stream", "xy"],
    ["application/octet-stream", "plain", "application/octet-stream", "plain"],
    [FORM, { a: [1, 2] }, FORM, "a=1&a=2"],
  ] as const;
  for (const [type, value, sentType, sent] of bodies) {
    const { send } = await serveForm(t, type, { schema: {} });
    const { headers, body } = await send({ body: value });
    assert.deepEqual([headers["content-type"], body], [sentType, sent], type);
  }
});

/** Serves an operation whose body has this content. */
async function serveForm(t: Parameters<typeof serveApi>[0], type: string, media: JsonObject) {
  const { port, origin, received } = await serveApi(t, {});
  const post = { operationId: "send", requestBody: { content: { [type]: media } }, responses: {} };
  const spec = specFile(t, { openapi: "3.0.3", servers: [{ url: origin }], paths: { "/form": { post } } });
  const { engine } = await openApi(t, { port, spec });
  return {
    engine,
    send: async (input: JsonObject) => {
      const result = await run(engine, "send", input);
      assert.ok(result.ok, JSON.stringify(result.content));
      const last = received.at(-1);
      assert.ok(last);
      return last;
    },
  };
}
