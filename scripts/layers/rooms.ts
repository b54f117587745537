/** A room, and the rooms that it may import besides itself. Imports go downwards in this list only. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  util: ["core"],
  secrets: ["core", "util"],
  "json-schema": ["core", "util"],
  schema: ["core", "util", "json-schema"],
  system: ["core", "util", "secrets"],
  shell: ["core", "util"],
  policy: ["core", "util", "json-schema", "schema", "shell"],
  formats: ["core", "util", "json-schema", "schema"],
  engine: ["core", "util", "secrets", "json-schema", "schema", "policy", "formats"],
  store: ["core", "util", "json-schema", "schema", "system"],
  models: ["core", "util", "json-schema", "schema", "system"],
  sources: ["core", "util", "secrets", "json-schema", "schema", "system"],
  tools: ["core", "util", "secrets", "json-schema", "schema", "system"],
  remote: ["core", "util", "json-schema", "schema", "system", "engine", "store"],
  adapters: ["core", "util", "json-schema", "schema", "formats", "engine"],
  agent: ["core", "util", "secrets", "json-schema", "schema", "system", "engine", "store", "tools"],
  ...appRooms(),
  // Only what CONSOLE_IMPORTS names.
  web: ["app/http", "util"],
};

/** The rooms that decide about a call and run it: small enough to be read. */
export const HEART: readonly string[] = ["core", "util", "schema", "policy", "engine"];

/** What the console may import: the types of the API, and pure functions of texts. */
export const CONSOLE_IMPORTS = /^src\/(?:app\/http\/api\.ts$|util\/text\/)/;

function appRooms(): Record<string, readonly string[]> {
  const below = [
    "core",
    "util",
    "secrets",
    "json-schema",
    "schema",
    "system",
    "shell",
    "policy",
    "formats",
    "engine",
    "store",
    "models",
    "sources",
    "tools",
  ];
  const config = [...below, "agent"];
  const host = [...config, "remote", "adapters", "app/config"];
  const terminal = [...host, "app/host"];
  const entry = [...terminal, "app/terminal"];
  const entries = ["app/gateway", "app/repl", "app/http", "app/acp", "app/tool-server", "app/libexec"];
  return {
    "app/config": config,
    "app/host": host,
    "app/terminal": terminal,
    ...Object.fromEntries(entries.map((room) => [room, entry])),
    "app/http": [...entry, "app/gateway"],
    "app/acp": [...entry, "app/repl"],
    "app/cli": [...entry, ...entries],
  };
}

/** Returns the room of a source file, or `door` for what package.json exports. */
export function roomOf(file: string): string {
  if (file.startsWith("web/")) return "web";
  const [, first = "", second = ""] = file.split("/");
  if (first === "doors" || first.endsWith(".ts")) return "door";
  return first === "app" ? `app/${second}` : first;
}
