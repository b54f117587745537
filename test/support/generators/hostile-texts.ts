import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../src/core/approval.ts";
import type { Json } from "../../../src/core/json.ts";

/** Characters that a screen acts on or does not show, and so show a person another text than the one that counts. */
const HOSTILE: Readonly<Record<string, string>> = {
  "right-to-left override": "\u{202e}",
  "left-to-right isolate": "\u{2066}",
  "pop directional isolate": "\u{2069}",
  "Arabic letter mark": "\u{61c}",
  "zero-width space": "\u{200b}",
  "zero-width joiner": "\u{200d}",
  "soft hyphen": "\u{ad}",
  "Hangul filler": "\u{3164}",
  "tag letter": "\u{e0041}",
  escape: "\u{1b}",
  backspace: "\u{8}",
  bell: "\u{7}",
  "C1 control": "\u{9b}",
  "private use": "\u{e000}",
};

/** A text with all of them, each between the letters X and Y. */
export const HOSTILE_TEXT = Object.values(HOSTILE)
  .map((character) => `X${character}Y`)
  .join("");

/** A text as the review of the console found it: the page showed another command than the one that ran. */
export const REVERSED = "echo '\u{202e}' ; touch pwned #\u{2066} 'enod' ohce\u{2069}";

const HIDDEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}\u{115f}\u{1160}\u{3164}\u{ffa0}]/u;

/** Fails if a rendered text has a hidden character, or does not name each of the hostile ones in its place. */
export function assertVisible(rendered: string, what: string): void {
  assertNothingHidden(rendered, what);
  for (const [name, character] of Object.entries(HOSTILE))
    assert.match(rendered, shownIn(character), `${what}: ${name}`);
}

/** Fails if a rendered text, which may be cut, has a hidden character. */
export function assertNothingHidden(rendered: string, what: string): void {
  const at = rendered.search(HIDDEN);
  const found =
    at < 0
      ? ""
      : `${rendered.codePointAt(at)?.toString(16)} in ${JSON.stringify(rendered.slice(at - 20, at + 20))}`;
  assert.equal(found, "", `${what} hides a character`);
}

/** Matches the character as `visible` shows it, or as an escape of JSON. */
function shownIn(character: string): RegExp {
  const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
  const json = units.map((unit) => `\\\\u${unit}`).join("");
  const short = { "\u{8}": "|\\\\b" }[character] ?? "";
  return new RegExp(`X(?:\\\\u\\{${character.codePointAt(0)?.toString(16)}\\}|${json}${short})Y`);
}

/** A request for approval with hostile text wherever a text can be. */
const HOSTILE_REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "shell",
  risk: "high",
  input: { command: HOSTILE_TEXT, [HOSTILE_TEXT]: HOSTILE_TEXT },
  facts: [
    {
      kind: "command",
      text: HOSTILE_TEXT,
      cwd: `/${HOSTILE_TEXT}`,
      reading: { certainty: "read", commands: [], doubt: HOSTILE_TEXT } as never,
    },
    { kind: "path", path: `/${HOSTILE_TEXT}`, access: "write" },
    { kind: "host", host: HOSTILE_TEXT },
    { kind: "mcp", server: HOSTILE_TEXT, tool: HOSTILE_TEXT },
  ],
  reason: HOSTILE_TEXT,
  hash: "h",
  grant: { tool: HOSTILE_TEXT, command: [HOSTILE_TEXT], exact: true, decision: "allow" },
  offers: [
    { scope: "always", label: HOSTILE_TEXT, warning: HOSTILE_TEXT, rule: { tool: "t", decision: "allow" } },
  ],
  calls: [
    {
      tool: HOSTILE_TEXT,
      input: { a: HOSTILE_TEXT },
      facts: [{ kind: "host", host: HOSTILE_TEXT }],
      decision: "ask",
      reason: HOSTILE_TEXT,
    },
  ],
};

/** The other kinds of requests: each is shown in its own way. */
export const HOSTILE_REQUESTS: Readonly<Record<string, ApprovalRequest>> = {
  "a command": HOSTILE_REQUEST,
  "a new file": {
    ...HOSTILE_REQUEST,
    tool: "write_file",
    calls: [],
    input: { path: `/${HOSTILE_TEXT}`, content: `${HOSTILE_TEXT}\nlive\n` },
    facts: [{ kind: "path", path: `/${HOSTILE_TEXT}`, access: "write" }],
  },
  "any other tool": { ...HOSTILE_REQUEST, calls: [], facts: [], input: { a: HOSTILE_TEXT } },
  "a call that can only be approved once": withoutGrants({ ungrantable: HOSTILE_TEXT }),
  "a question of a tool": withoutGrants({
    question: { text: HOSTILE_TEXT, details: { about: HOSTILE_TEXT } },
  }),
};

function withoutGrants(more: Partial<ApprovalRequest>): ApprovalRequest {
  const { grant: _grant, offers: _offers, calls: _calls, ...rest } = HOSTILE_REQUEST;
  return { ...rest, ...more };
}

/** Returns every text of a value, on lines of their own. */
export function textsOf(value: Json | object): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([key, one]) => `${key}\n${textsOf(one as Json)}`)
    .join("\n");
}
