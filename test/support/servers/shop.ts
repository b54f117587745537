import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import type { TestContext } from "node:test";
import { CERTIFICATE, KEY } from "./secure-server.ts";

/** A shop whose orders everyone with a login can read. */
export interface Shop {
  /** `http://localhost:PORT`: the goods, and a link to the login. */
  readonly origin: string;
  /** `https://localhost:PORT`: login and orders. */
  readonly secure: string;
  /** Shows a page at `/shown`. */
  show(html: string): void;
  /** The paths that were asked for, in order. */
  readonly paths: readonly string[];
}

export const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const ORDERS: Readonly<Record<string, object>> = {
  "1001": { owner: "ada", item: "Lamp" },
  "1002": { owner: "bob", item: "Safe", note: '<script>document.title = "hacked"</script>', token: TOKEN },
};

/** Starts a shop on loopback; it ends with the test. */
export async function startShop(t: TestContext): Promise<Shop> {
  const paths: string[] = [];
  let shown = "";
  const listener: RequestListener = ({ url = "", headers, method }, response) => {
    const page = (html: string): unknown =>
      response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html>${html}`);
    const { pathname } = new URL(url, "http://shop");
    paths.push(pathname);
    const isKnown = headers.cookie?.includes("session=ada") === true;
    const order = /^\/api\/orders\/(\d+)$/.exec(pathname)?.[1];
    if (pathname === "/") page(`<title>Shop</title><h1>Lamps</h1><a href="${secure}/login">Sign in</a>`);
    else if (pathname === "/shown") page(shown);
    else if (pathname === "/login" && method === "POST")
      response.writeHead(303, { "set-cookie": "session=ada; HttpOnly", location: "/orders" }).end();
    else if (pathname === "/login")
      page(
        "<title>Login</title><form method=post><input name=user aria-label=User><input name=password type=password aria-label=Password><button>Go</button></form>",
      );
    else if (pathname === "/orders")
      page(`<title>Orders</title><p id=order>…</p><script>
        fetch("/api/orders/1001").then((answer) => answer.json()).then(({ item }) => { order.textContent = "You ordered: " + item; });</script>`);
    // The flaw: a login is needed, but the owner is not compared.
    else if (order !== undefined && isKnown && ORDERS[order] !== undefined)
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ORDERS[order]));
    else response.writeHead(404).end();
  };
  const secure = `https://localhost:${await listen(t, createServer({ cert: CERTIFICATE, key: KEY }, listener))}`;
  const origin = `http://localhost:${await listen(t, createHttpServer(listener))}`;
  return { origin, secure, paths, show: (html) => void (shown = html) };
}

async function listen(t: TestContext, server: Server & { closeAllConnections(): void }): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return (server.address() as AddressInfo).port;
}
