import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_ROLES } from "../../src/app/config/access/roles.ts";
import { createPlace } from "../flows/support/cli.ts";
import { addPerson, requestAs } from "../flows/support/people.ts";
import { createOidcPlace } from "../flows/support/oidc-place.ts";
import { startServe } from "../flows/support/serve.ts";
import { checkPage, openConsole, startBrowser } from "./support/console.ts";

// About 20 seconds.

type Role = keyof typeof BUILT_IN_ROLES;

const ALL = "Overview Calls Approvals Chat Sessions Agents Tools Sources Policy Charts Sandbox Fleet";
/** What the console offers to each role. */
const OFFERED: Readonly<Record<Role, string>> = {
  viewer: ALL,
  caller: "Calls Approvals Tools",
  approver: ALL,
  admin: ALL,
};

for (const role of Object.keys(BUILT_IN_ROLES) as readonly Role[])
  test(
    `the console offers a ${role} what this role may do, and nothing else`,
    { timeout: 300_000 },
    async (t) => {
      const place = createPlace(t);
      place.write("long.txt", "a line of text\n".repeat(20_000));
      const served = await startServe(t, place, ["--mode", "ask"]);
      const token = await addPerson(place, "alice", role);
      const waiting = { name: "write_file", input: { path: "asked.txt", content: "x" }, wait: false };
      await requestAs(served, served.token, "POST", "/api/calls", waiting);
      if (role === "caller" || role === "admin")
        await requestAs(served, token, "POST", "/api/calls", {
          name: "write_file",
          input: { path: "own.txt", content: "x" },
          wait: false,
        });
      const address = new URL(`/?token=${token}`, served.address);
      const { page, show, errors } = await openConsole(await startBrowser(t), address);
      const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
      await page.getByRole("banner").getByText("alice").first().waitFor();
      const names = (await links.allInnerTexts()).map((text) => text.trim().split(/\s/)[0]);
      assert.deepEqual(
        names.filter((name) => name !== "Fleet"),
        OFFERED[role].split(" ").filter((name) => name !== "Fleet"),
      );
      await checkPage(page, `the first page of a ${role}`);
      await show("approvals");
      const asked = page.getByRole("heading", { name: /asked\.txt/ });
      const own = page.getByRole("heading", { name: /own\.txt/ });
      await (role === "caller" ? own : asked).first().waitFor();
      assert.equal((await asked.count()) > 0, role !== "caller", "the request of another person");
      const mayApprove = BUILT_IN_ROLES[role].some((right) => right === "approve");
      assert.equal((await page.getByRole("button", { name: /^Approve/ }).count()) > 0, mayApprove);
      await checkPage(page, `the approvals of a ${role}`);
      await show("tools/read_file");
      const mayCall = BUILT_IN_ROLES[role].some((right) => right === "call");
      if (mayCall) {
        await page.getByRole("button", { name: /^Run/ }).first().waitFor();
        await show("calls");
        await page.getByText("own.txt").first().waitFor();
        assert.equal((await page.getByText("asked.txt").count()) > 0, role !== "caller");
      }
      if (role === "caller") {
        await page.evaluate("window.location.hash = '/policy'");
        await page.getByText("Your roles do not let you read calls and settings.").waitFor();
      }
      assert.deepEqual(errors, []);
      const loggedOut = page.waitForResponse((response) => response.url().endsWith("/auth/logout"));
      await page.getByRole("button", { name: "Log out" }).click();
      assert.equal((await loggedOut).status(), 200);
      await page.getByLabel("Token").waitFor();
      assert.equal((await page.goto(new URL("/", address).href))?.status(), 401);
    },
  );

test(
  "a person logs in at the provider with a browser, works, and logs out there too",
  { timeout: 300_000 },
  async (t) => {
    const { provider, place } = await createOidcPlace(t);
    provider.users.set("u1", { preferred_username: "alice", groups: ["dev"] });
    provider.login = "u1";
    const { address } = await startServe(t, place);
    const page = await (await startBrowser(t)).newPage();
    await page.goto(address.origin);
    await page.getByRole("link", { name: "Log in" }).click();
    await page.getByRole("banner").getByText("alice").first().waitFor();
    assert.equal(new URL(page.url()).pathname, "/");
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Tools" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(`${provider.issuer}/session/end**`);
    assert.equal((await page.goto(address.origin))?.status(), 401);
    await page.getByRole("link", { name: "Log in" }).waitFor();
  },
);
