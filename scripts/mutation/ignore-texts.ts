// Leaves alone texts for people, since a mutant of a message decides nothing, and `""` as a default: another text that no rule and no table has decides the same.

/** The part of a node's path in Babel's tree that is read here. */
interface NodePath {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
  readonly parent?: {
    readonly type: string;
    readonly operator?: string;
    readonly right?: unknown;
  };
}

function shouldIgnore({ node, parent }: NodePath): string | undefined {
  const isFallback = parent?.type === "LogicalExpression" && parent.operator === "??";
  const isDefault = (isFallback || parent?.type === "AssignmentPattern") && parent.right === node;
  if (isDefault && node.type === "StringLiteral" && node.value === "") return "no name";
  const text =
    node.type === "StringLiteral" ? node.value : node.quasis?.map(({ value }) => value.raw).join("");
  return typeof text === "string" && text.includes(" ") ? "a text for people" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "texts", value: { shouldIgnore } }];
