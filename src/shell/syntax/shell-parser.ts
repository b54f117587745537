/** A node of a syntax tree, as plain data. The parts of a simple command are not included. */
export interface SyntaxNode {
  /** The node type of tree-sitter-bash; operators and keywords have their own text as type. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** The result of parsing a text. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** The parser skipped or inserted text, so the tree may differ from what a shell would run. */
  readonly isBroken: boolean;
}

/** Parses bash. Runs nothing and keeps no state between texts. */
export interface ShellParser {
  parse(text: string): SyntaxTree;
}
