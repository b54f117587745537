import type { Locator, Page } from "playwright-core";
import { ToolError } from "../../../core/errors.ts";
import { shortened } from "../../../util/text/shortened.ts";
import { describeChanges } from "./page-changes.ts";
import { matchingLines, toLines, toTreePage, type Line, type TreeNode, type TreePage } from "./page-tree.ts";

export const VIEWPORT = { width: 1280, height: 800 };

export interface Element {
  readonly locator: Locator;
  /** `element 7 (button "Save")`. */
  readonly name: string;
}

interface Known {
  readonly number: number;
  readonly ref: string;
  readonly document: string;
  readonly framesVersion: number;
  readonly name: string;
}

/** Returns a number that no tab of the session has used, so that a number of another page is never that of an element here. */
export type NextNumber = () => number;

/** The document that a page shows, and how often its frames have changed. */
interface At {
  readonly document: string;
  readonly framesVersion: number;
}

/** Creates the numbers of elements: an element that stays has the same one. */
function createNumbers(nextNumber: NextNumber) {
  const byRef = new Map<string, Known>();
  const byNumber = new Map<number, Known>();
  return {
    note(node: TreeNode, ref: string, { document, framesVersion }: At): number {
      const inFrame = ref.startsWith("f") ? framesVersion : 0;
      const key = `${document} ${inFrame} ${ref}`;
      const name = `${node.role}${node.name === undefined ? "" : ` ${JSON.stringify(shortened(node.name, 80))}`}`;
      const number = byRef.get(key)?.number ?? nextNumber();
      const known = { number, ref, document, framesVersion: inFrame, name };
      byRef.set(key, known);
      byNumber.set(number, known);
      return number;
    },
    forget(document: string): void {
      for (const [key, known] of byRef) {
        if (known.document === document) continue;
        byRef.delete(key);
        byNumber.delete(known.number);
      }
    },
    find: (number: number): Known | undefined => byNumber.get(number),
  };
}

/** A page of thousands of elements takes seconds on a busy machine. */
const READ_MS = 40_000;

/** Numbers the elements of a page for the model. */
export function createElements(page: Page, nextNumber: NextNumber) {
  const numbers = createNumbers(nextNumber);
  let framesVersion = 0;
  let last: { readonly document: string; readonly lines: readonly Line[] } | undefined;
  page.on("framenavigated", (frame) => {
    // The names of elements begin anew in each document.
    if (frame !== page.mainFrame()) framesVersion += 1;
  });
  const documentOf = (): Promise<string> => page.evaluate(() => String(performance.timeOrigin));
  /** Reads the page, and numbers its elements. */
  const readLines = async (): Promise<NonNullable<typeof last>> => {
    const document = await documentOf();
    numbers.forget(document);
    const options = { mode: "ai", boxes: true, timeout: READ_MS } as const;
    const nodes = (await page.ariaSnapshotJSON(options)) as readonly TreeNode[];
    const secrets = await passwordsOn(page);
    const lines = toLines(nodes, {
      isSecret: (text) => secrets.has(text),
      viewport: page.viewportSize() ?? VIEWPORT,
      numberOf: (node, ref) => numbers.note(node, ref, { document, framesVersion }),
    });
    last = { document, lines };
    return last;
  };
  return {
    async tree(at: number): Promise<TreePage> {
      // Further pages are of the tree whose first one was shown.
      const isKnown = at > 1 && last !== undefined && last.document === (await documentOf());
      const { lines } = isKnown && last !== undefined ? last : await readLines();
      return toTreePage(lines, at);
    },
    async search(text: string): Promise<TreePage> {
      const { lines } = await readLines();
      return { ...toTreePage(matchingLines(lines, text)), total: lines.length };
    },
    async remember(): Promise<void> {
      if (last?.document !== (await documentOf())) await readLines();
    },
    async changes(): Promise<string | undefined> {
      const before = last;
      const after = await readLines();
      return before?.document === after.document ? describeChanges(before.lines, after.lines) : undefined;
    },
    async find(number: number): Promise<Element> {
      const known = numbers.find(number);
      if (known === undefined) throw stale(`there is no element ${number} on this page`);
      const name = `element ${number} (${known.name})`;
      const isSameFrame = !known.ref.startsWith("f") || known.framesVersion === framesVersion;
      if (!isSameFrame || known.document !== (await documentOf()))
        throw stale(`${name} was on a page that is not shown any more`);
      const locator = page.getByRef(known.ref);
      if ((await locator.count()) === 0) throw stale(`${name} is not on the page any more`);
      return { locator, name };
    },
  };
}

/** Returns what is in the password fields of a page: it is not shown. */
async function passwordsOn(page: Page): Promise<ReadonlySet<string>> {
  const values = page.frames().map((frame) =>
    frame
      .locator("input[type=password]")
      .evaluateAll((fields) => fields.map((field) => (field as unknown as { readonly value: string }).value))
      .catch(() => []),
  );
  return new Set((await Promise.all(values)).flat().filter((value) => value !== ""));
}

function stale(message: string): ToolError {
  return new ToolError("TOOL_FAILED", message, {
    hint: "get_page shows the elements that are there now, with their numbers",
  });
}
