/** A node of a syntax tree, as plain data that outlives its parser. What a simple command consists of is left out. */
export interface SyntaxNode {
  /** As the grammar tree-sitter-bash names it; an operator or a keyword is named by its own text. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** What a parser made of a text. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Some of the text was skipped or made up, so that the tree may say what no shell would. */
  readonly isBroken: boolean;
}

/** Knows the grammar of bash. Never runs anything, and holds on to nothing between two texts. */
export interface ShellParser {
  parse(text: string): SyntaxTree;
}
