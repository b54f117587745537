// The reference servers, called directly and behind the gateway, give equal results.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { referenceServer } from "../support/servers/mcp.ts";
import { createPlace, type Place } from "../flows/support/cli.ts";
import { compareServer, type Call } from "./support/compare-server.ts";

interface Case {
  readonly server: string;
  readonly args: (place: Place) => readonly string[];
  readonly env?: (file: string) => Record<string, string>;
  readonly prepare?: (place: Place) => void;
  readonly calls: (place: Place) => readonly Call[];
}

const LONG = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join("\n");
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const CASES: readonly Case[] = [
  {
    server: "everything",
    args: () => ["stdio"],
    calls: () => [
      ["echo", { message: "hello" }],
      ["echo", { message: LONG }],
      ["echo", { message: "a\u001b[1mb\u202ec" }],
      ["get-sum", { a: 1, b: 2.5 }],
      ["get-tiny-image", {}],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-resource-links", { count: 4 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
    ],
  },
  {
    server: "filesystem",
    args: ({ folder }) => [folder],
    prepare({ folder }) {
      mkdirSync(join(folder, "sub"));
      writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
      writeFileSync(join(folder, "long.txt"), LONG);
      writeFileSync(join(folder, "sub", "b.json"), "{}");
      writeFileSync(join(folder, "a.png"), Buffer.from(PIXEL, "base64"));
    },
    calls: ({ folder }) => [
      ["read_text_file", { path: join(folder, "a.txt") }],
      ["read_text_file", { path: join(folder, "long.txt") }],
      ["read_text_file", { path: join(folder, "none.txt") }],
      ["read_text_file", { path: "/etc/hostname" }],
      ["read_media_file", { path: join(folder, "a.png") }],
      ["read_multiple_files", { paths: [join(folder, "a.txt"), join(folder, "none.txt")] }],
      ["list_directory", { path: folder }],
      ["directory_tree", { path: folder }],
      ["search_files", { path: folder, pattern: "**/*.json" }],
      ["get_file_info", { path: join(folder, "a.txt") }],
      ["list_allowed_directories", {}],
    ],
  },
  {
    server: "memory",
    args: () => [],
    env: (file) => ({ MEMORY_FILE_PATH: file }),
    calls: () => [
      ["create_entities", { entities: [{ name: "Ada", entityType: "person", observations: ["counts"] }] }],
      ["add_observations", { observations: [{ entityName: "Ada", contents: ["writes"] }] }],
      ["add_observations", { observations: [{ entityName: "Bob", contents: ["none"] }] }],
      ["search_nodes", { query: "writes" }],
      ["read_graph", {}],
    ],
  },
  {
    server: "sequential-thinking",
    args: () => [],
    calls: () => [
      ["sequentialthinking", { thought: "one", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }],
    ],
  },
];

for (const { server, args, env, prepare, calls } of CASES) {
  const found = referenceServer(server);
  test(
    `${server} gives the same tools and results directly and behind the gateway`,
    { skip: "missing" in found && found.missing },
    async (t) => {
      assert.ok("path" in found);
      const place = createPlace(t);
      prepare?.(place);
      const program = [process.execPath, found.path, ...args(place)];
      await compareServer(t, place, { program, ...(env && { env }), calls: calls(place) });
    },
  );
}
