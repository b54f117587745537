import { shownDeclarations } from "./api-pages.ts";
import { skipText, type Declaration } from "./declarations.ts";
import { isSharedMember } from "./shared-members.ts";

/** Constructors, whose class has the sentence; members of the language, such as `[Symbol.dispose]`; private ones; and codes of docs/errors.md. */
const EXEMPT = /^(?:#|\[|constructor\(|static \{|[A-Z][A-Z_]+\b)/;

/** A discriminant: its only value is its meaning. */
const ONE_VALUE = /^[\w"-]+\??(?::| =) (?:"[^"|]*"|\d+|true|false);?$/;

/** Types of other projects: the sentence above the type names the project, whose documentation has the members. */
const FOREIGN =
  /^(?:OpenAi|Anthropic|Google|Responses|Standard[A-Z]|McpContent|OAuth|AiSdk|Agents|Mastra|LangChain|ModelOutput|TypeBox|OpenSchema|LanguageModel|TextPart)/;

/**
 * Returns a fault for each exported name, and each member of a type that the API reference shows, without a sentence. A type that no door
 * exports is shown under the name that needs it, and needs none itself.
 */
export function checkSentences(): readonly string[] {
  const seen = new Set<string>();
  return shownDeclarations().flatMap(({ door, name, file, declaration, isExported }) => {
    // Several doors show the same type.
    if (seen.has(`${file} ${name}`)) return [];
    seen.add(`${file} ${name}`);
    const bare = namesWithoutSentence(name, declaration).filter((one) => isExported || one !== name);
    return bare.map((one) => `${door}: ${one} has no sentence: write /** … */ above it in ${file}`);
  });
}

/** Returns the name of a declaration if no comment is above it, and those of its members without a comment. */
export function namesWithoutSentence(name: string, { kind, comment, code }: Declaration): readonly string[] {
  const own = comment === "" ? [name] : [];
  if (kind === "function" || FOREIGN.test(name)) return own;
  const members = membersOf(code);
  // The sentence of a type may be about a member. The first of several overloads, or members of one name, has the sentence for all.
  const described = new Set(
    members.filter((one) => one.isDescribed || comment.includes(`\`${one.name}\``)).map((one) => one.name),
  );
  const bare = members
    .map((one) => one.name)
    .filter((member, at) => !described.has(member) && !isExempt(members[at]?.text ?? ""));
  return [...own, ...[...new Set(bare)].map((member) => `${name}.${member}`)];
}

function isExempt(text: string): boolean {
  return EXEMPT.test(text) || ONE_VALUE.test(text) || isSharedMember(text);
}

/** Returns true if the object type that begins here is a case of a union and its first member has one value. */
function hasDiscriminant(code: string, index: number): boolean {
  const [, text = ""] = /^\{\s*readonly ([^\n]*)/.exec(code.slice(index)) ?? [];
  return /[|&(=]\s*$/.test(code.slice(0, index)) && ONE_VALUE.test(text);
}

interface Member {
  readonly name: string;
  readonly isDescribed: boolean;
  /** From the name to the end of the line. */
  readonly text: string;
}

const MEMBER =
  /^\s*((?:\/\*[\s\S]*?\*\/\s*|\/\/[^\n]*\n\s*)*)(?:(?:readonly|override|static|async|declare|get|set) +)*((#?\w+|\[[^\]]*\]|"[^"]*")[^\n]*)/;

/**
 * Returns the members of the object types of a declaration, but none of what is inside a member or a parameter. The sentence of a type
 * that fits on one line describes its members too, and so does that of a case of a union. The discriminant of a case, which is its first
 * member, says what the case is: its other members need no sentence.
 */
function membersOf(code: string): readonly Member[] {
  const members: Member[] = [];
  let open = "";
  let isCaseDescribed = false;
  for (let index = 0; index < code.length; index += 1) {
    index = skipText(code, index);
    const char = code[index] ?? "";
    const isOneLine = char === "{" && code[index + 1] !== "\n";
    if ("([{".includes(char)) open += isOneLine ? "(" : char;
    if (")]}".includes(char)) open = open.slice(0, -1);
    if (open !== "{" || !"{;".includes(char)) continue;
    if (char === "{")
      isCaseDescribed = /\*\/\s*\|?\s*\(?$/.test(code.slice(0, index)) || hasDiscriminant(code, index);
    const [, comment = "", text = "", name] = MEMBER.exec(code.slice(index + 1)) ?? [];
    if (name === undefined) continue;
    members.push({ name, isDescribed: isCaseDescribed || comment.includes("/**"), text });
  }
  return members;
}
