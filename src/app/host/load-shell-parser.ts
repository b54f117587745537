import { packageFile } from "../../system/package-files.ts";
import type { ShellParser, SyntaxNode, SyntaxTree } from "../../shell/syntax/shell-parser.ts";
import type { Tree, TreeCursor } from "web-tree-sitter";

const MAX_NODES = 60_000;

/** Loads the bash grammar, which takes about 20 ms. Rejects if a file is missing. The caller should reuse the parser. */
export async function loadShellParser(): Promise<ShellParser> {
  const { Parser, Language } = await import("web-tree-sitter");
  await Parser.init({ locateFile: () => packageFile("dist/web-tree-sitter.wasm") });
  const parser = new Parser();
  parser.setLanguage(await Language.load(packageFile("dist/tree-sitter-bash.wasm")));
  return {
    parse(text) {
      const tree = parser.parse(text);
      if (tree === null) return BROKEN;
      try {
        return toPlain(tree);
      } finally {
        // The garbage collector does not free the tree.
        tree.delete();
      }
    },
  };
}

const BROKEN: SyntaxTree = { root: { type: "ERROR", start: 0, end: 0, children: [] }, isBroken: true };

function toPlain(tree: Tree): SyntaxTree {
  if (tree.rootNode.hasError) return BROKEN;
  const cursor = tree.walk();
  try {
    return copyTree(cursor);
  } finally {
    cursor.delete();
  }
}

/** Copies the tree without recursion: a tree may be deeper than the stack. */
function copyTree(cursor: TreeCursor): SyntaxTree {
  const root = copyNode(cursor);
  const parents = [root];
  let count = 1;
  let isDown = cursor.gotoFirstChild();
  while (parents.length > 0) {
    if (!isDown) {
      parents.pop();
      isDown = parents.length > 0 && cursor.gotoParent() && cursor.gotoNextSibling();
      continue;
    }
    count += 1;
    if (count > MAX_NODES) return BROKEN;
    const node = copyNode(cursor);
    parents.at(-1)?.children.push(node);
    parents.push(node);
    isDown = node.type !== "command" && cursor.gotoFirstChild();
    if (!isDown) {
      parents.pop();
      isDown = cursor.gotoNextSibling();
    }
  }
  return { root, isBroken: false };
}

interface GrowingNode extends SyntaxNode {
  readonly children: GrowingNode[];
}

function copyNode(cursor: TreeCursor): GrowingNode {
  return { type: cursor.nodeType, start: cursor.startIndex, end: cursor.endIndex, children: [] };
}
