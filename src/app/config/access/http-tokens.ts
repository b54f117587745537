/** What a request over HTTP may do. own: read what its sender did, where `read` is what everyone did. */
export const RIGHTS = ["read", "own", "call", "approve", "admin"] as const;
export type Right = (typeof RIGHTS)[number];

/** The tokens of our HTTP servers, and what a request with each may do. */
export const TOKEN_RIGHTS = {
  /** For a console that only shows, and for Prometheus. */
  read: ["read"],
  /** For MCP clients and programs. */
  call: ["call"],
  /** For a person who approves. */
  approve: ["read", "approve"],
  /** For the owner. */
  admin: RIGHTS,
} as const satisfies Readonly<Record<string, readonly Right[]>>;
export type TokenName = keyof typeof TOKEN_RIGHTS;

/** The files of the tokens, in the folder of the user's config. That of calls has the name that clients were given before there were others. */
export const TOKEN_FILES: Readonly<Record<TokenName, string>> = {
  read: "http-token-read",
  call: "http-token",
  approve: "http-token-approve",
  admin: "http-token-admin",
};

/** Matches these files, and the drafts beside them. */
export const TOKEN_FILE_PATTERN = "http-token*";

/** Returns true if one of the rights is granted. */
export function hasRight(granted: readonly Right[], wanted: readonly Right[]): boolean {
  return wanted.some((one) => granted.includes(one));
}

/** Returns what a request lacks, and what has it: another role of the person, or the token in a file. */
export function missingRight(wanted: readonly Right[], person?: string): string {
  const [right = "admin"] = wanted;
  if (person !== undefined) return `${person} may not ${VERBS[right]}; a role with the right ${right} may`;
  const file = TOKEN_FILES[right === "own" ? "read" : right];
  return `this token may not ${VERBS[right]}; a token that may is in the file ${file} of the folder of the config`;
}

const VERBS: Readonly<Record<Right, string>> = {
  read: "read calls and settings",
  own: "read its own calls",
  call: "call tools",
  approve: "approve",
  admin: "administer",
};
