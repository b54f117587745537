import type { Answer, Peer } from "./clients.ts";

/** A task of a person who looks only at answers: an answer that does not show what is expected is followed by reading the page. */
type Task = (peer: Peer, address: string) => Promise<void>;

async function expectShown(peer: Peer, answer: Answer, expected: string | RegExp): Promise<void> {
  const has = (text: string): boolean =>
    typeof expected === "string" ? text.includes(expected) : expected.test(text);
  if (has(answer.text)) return;
  const page = await peer.read();
  if (!has(page.text)) throw new Error(`expected ${expected}, got ${answer.text.slice(0, 200)}`);
}

/** Throws unless the answer itself has what is expected. */
function expectAnswer({ text }: Answer, expected: string): void {
  if (!text.includes(expected)) throw new Error(`expected ${expected}, got ${text.slice(0, 200)}`);
}

const signIn = async (peer: Peer, address: string, password: string): Promise<Answer> => {
  await peer.goTo(`${address}/login`);
  await peer.type("Name", "ann");
  await peer.type("Password", password);
  return peer.click("button", "Sign in");
};

export const TASKS: Readonly<Record<string, Task>> = {
  "log in with a wrong password": async (peer, address) =>
    expectShown(peer, await signIn(peer, address, "bad"), "Wrong password"),
  "log in": async (peer, address) => expectShown(peer, await signIn(peer, address, "secret"), "User: ann"),
  "stay logged in": async (peer, address) => expectShown(peer, await peer.goTo(`${address}/`), "User: ann"),
  search: async (peer, address) => {
    await peer.goTo(`${address}/`);
    await expectShown(peer, await peer.type("Search", "shoes", true), "Results for shoes");
  },
  "put a product into the cart": async (peer, address) => {
    await peer.goTo(`${address}/products`);
    await expectShown(peer, await peer.click("button", "Add Product 7"), "Items: 7");
  },
  "choose an option": async (peer, address) => {
    await peer.goTo(`${address}/cart`);
    await peer.select("Shipping", "Express");
    expectAnswer(await peer.evaluate("document.querySelector('select').value"), "Express");
  },
  "close an alert": async (peer, address) => {
    await peer.goTo(`${address}/cart`);
    expectAnswer(await peer.click("button", "Pay"), "Paid");
    await peer.answerDialog(true);
  },
  "decline a question": async (peer, address) => {
    await peer.goTo(`${address}/cart`);
    await peer.click("button", "Clear");
    await peer.answerDialog(false);
    expectAnswer(await peer.evaluate("document.title"), "no");
  },
  "answer a prompt": async (peer, address) => {
    await peer.goTo(`${address}/cart`);
    await peer.click("button", "Ask");
    await peer.answerDialog(true, "Zoe");
    expectAnswer(await peer.evaluate("document.title"), "P:Zoe");
  },
  "click in a frame": async (peer, address) => {
    await peer.goTo(`${address}/frame`);
    await expectShown(peer, await peer.click("button", "Inner button"), "Clicked inside");
  },
  "use shadow DOM": async (peer, address) => {
    await peer.goTo(`${address}/shadow`);
    await peer.type("Shadow input", "xyz");
    await expectShown(peer, await peer.click("button", "Shadow button"), "shadow says xyz");
  },
  "upload a file": async (peer, address) => {
    await peer.goTo(`${address}/upload`);
    await peer.upload("File");
    await expectShown(peer, await peer.click("button", "Send"), /Got \d+ bytes/);
  },
  "download a file": async (peer, address) => {
    await peer.goTo(`${address}/links`);
    await expectShown(peer, await peer.click("link", "Download orders"), "orders.csv");
  },
  "open and close a tab": async (peer, address) => {
    await peer.goTo(`${address}/links`);
    const opened = await peer.click("link", "Open in new tab");
    if (!opened.text.includes("Product 3")) expectAnswer(await peer.listTabs(), "roduct");
    await peer.closeTab();
  },
  "count in the storage of the page": async (peer, address) => {
    for (let visit = 0; visit < 2; visit += 1) {
      await peer.goTo(`${address}/`);
      await peer.click("button", "Count");
    }
    expectAnswer(await peer.evaluate("localStorage.getItem('k')"), "2");
  },
  "scroll a page without an end": async (peer, address) => {
    await peer.goTo(`${address}/scroll`);
    await peer.scroll();
    await expectShown(peer, await peer.scroll(), "Row 35");
  },
  "open a menu by hovering": async (peer, address) => {
    await peer.goTo(`${address}/hover`);
    const hovered = await peer.hover("Menu");
    if (!hovered.text.includes("Secret item")) await peer.read();
    await expectShown(peer, await peer.click("link", "Secret item"), "Your cart");
  },
  "read the console": async (peer, address) => {
    await peer.goTo(`${address}/hover`);
    expectAnswer(await peer.readConsole(), "console bad");
  },
  "save a PDF and take a screenshot": async (peer, address) => {
    await peer.goTo(`${address}/products`);
    const saved = await peer.savePdf();
    if (saved.isError) throw new Error(saved.text);
    expectAnswer(await peer.screenshot(), "[image]");
  },
  "click one of 5 000 buttons": async (peer, address) => {
    await peer.goTo(`${address}/big`);
    await peer.find("Button 4321");
    await peer.click("button", "Button 4321");
    expectAnswer(await peer.evaluate("document.title"), "hit 4321");
  },
};
