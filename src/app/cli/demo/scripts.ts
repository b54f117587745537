import type { ScriptedAnswer } from "../../../models/scripted-answers.ts";

// Not written in place: these are modules of the demo, not of this program.
const [CART, PRICES, TESTED] = ["./cart.ts", "./prices.ts", "../src/cart.ts"];

/** The files of the folder that the demo works in. */
export const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "shop", type: "module", scripts: { test: "node --test" } }, undefined, 2)}\n`,
  "README.md": "# Shop\n\nA cart, prices, and a discount that everyone argues about.\n",
  "src/cart.ts": `const DISCOUNT = 0.1;

export function total(prices: readonly number[]): number {
  const sum = prices.reduce((all, price) => all + price, 0);
  return prices.length > 3 ? sum * (1 - DISCOUNT) : sum;
}
`,
  "src/prices.ts": `const PRICES: Readonly<Record<string, number>> = { apple: 1.2, pear: 1.5, plum: 0.4 };

// TODO: read the prices from the shop
export function priceOf(item: string): number {
  return PRICES[item] ?? 0;
}
`,
  "src/shop.ts": `import { total } from "${CART}";
import { priceOf } from "${PRICES}";

export const bill = (items: readonly string[]): number => total(items.map(priceOf));
`,
  "test/cart.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "${TESTED}";

test("the total has the discount", () => assert.equal(total([1.2, 1.2, 1.5, 0.4]).toFixed(2), "3.87"));
`,
  "test/cases.json": `[{ "prices": [1.2, 1.2, 1.5, 0.4], "total": "3.87" }]\n`,
};

export interface DemoSession {
  /** The name of its script. */
  readonly name: string;
  readonly task: string;
  readonly answers: readonly ScriptedAnswer[];
}

const answer = (text: string, calls: ScriptedAnswer["calls"] = [], delayMs = 600): ScriptedAnswer => ({
  text,
  calls,
  delayMs,
  usage: { inputTokens: 4200 + text.length * 9, outputTokens: 60 + text.length },
});

/** What the agents of the demo do. A script answers in place of a model; the calls are real. */
export const SESSIONS: readonly DemoSession[] = [
  {
    name: "tests",
    task: "Why does the case of the cart pass with the wrong discount?",
    answers: [
      answer("I read the cart and its case.", [
        { name: "read_file", input: { path: "src/cart.ts" } },
        { name: "read_file", input: { path: "test/cases.json" } },
        { name: "grep", input: { pattern: "DISCOUNT" } },
      ]),
      answer("I look at what else is there.", [{ name: "shell", input: { command: "ls test src" } }], 900),
      answer(
        "The case expects 3.87, which is the sum **with** the discount: `4.3 × 0.9`. So the case is right.",
        [],
        700,
      ),
    ],
  },
  {
    name: "team",
    task: "Look at prices and cart with two agents, and say what to do first.",
    answers: [
      answer("One agent reads the prices, one the cart.", [
        { name: "subagent", input: { task: "Read src/prices.ts and name what is missing." } },
      ]),
      answer("I read the prices.", [{ name: "read_file", input: { path: "src/prices.ts" } }], 500),
      answer("The prices are constants; a TODO says that they should come from the shop.", [], 500),
      answer(
        "Now the cart.",
        [{ name: "subagent", input: { task: "Read src/cart.ts and name what is missing." } }],
        400,
      ),
      answer("I read the cart.", [{ name: "read_file", input: { path: "src/cart.ts" } }], 700),
      answer("The discount is a constant in the code.", [], 400),
      answer("First read the prices from the shop: without them the discount does not matter.", [], 500),
    ],
  },
  {
    name: "todo",
    task: "Which TODO is the oldest?",
    answers: [
      answer("I search for them.", [{ name: "grep", input: { pattern: "TODO" } }], 700),
      answer("There is no history here, so I look at the file itself.", [
        { name: "shell", input: { command: "head -4 src/prices.ts" } },
        { name: "read_file", input: { path: "src/no-such-file.ts" } },
      ]),
      answer("There is one TODO, in `src/prices.ts`.", [], 400),
    ],
  },
];

/** The agent to chat with: it reads, asks for an approval, and then explains what the visitor saw. */
export const CHAT: readonly ScriptedAnswer[] = [
  answer(
    "Hello! A script answers in place of a model here, but **my calls are real**. I list the files of this folder, which only reads, so it runs at once.",
    [{ name: "ls", input: { path: "." } }],
  ),
  answer("Now I want to write `hello.txt`. A change needs your approval, here or on the page *Approvals*.", [
    { name: "write_file", input: { path: "hello.txt", content: "Written in the demo of Toolwright.\n" } },
  ]),
  {
    ...answer(
      [
        "That was all I can do without a model:",
        "",
        "| call | what happened |",
        "| --- | --- |",
        "| `ls` | ran at once: it only reads |",
        "| `write_file` | waited for you |",
        "",
        "```ts",
        "// With a model: toolwright init, then toolwright serve",
        "const engine = createEngine({ tools: [readFile, shell] });",
        "```",
      ].join("\n"),
    ),
    repeat: true,
  },
];

/** Calls that wait for the visitor. */
export const WAITING = [
  {
    name: "edit_file",
    input: { path: "src/cart.ts", old_string: "const DISCOUNT = 0.1;", new_string: "const DISCOUNT = 0.15;" },
  },
  { name: "shell", input: { command: "npm install left-pad" } },
] as const;
