// Leaves texts for people alone: a mutant of a message decides nothing.

/** The part of a node's path in Babel's tree that is read here. */
interface NodePath {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
}

function shouldIgnore({ node }: NodePath): string | undefined {
  const text =
    node.type === "StringLiteral" ? node.value : node.quasis?.map(({ value }) => value.raw).join("");
  return typeof text === "string" && text.includes(" ") ? "a text for people" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "texts", value: { shouldIgnore } }];
