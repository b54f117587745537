import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A shop with everything that the tasks need. */
export async function servePages(): Promise<{
  readonly address: string;
  readonly port: number;
  close(): void;
}> {
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Visit {
  readonly body: string;
  readonly query: URLSearchParams;
  readonly cookies: Readonly<Record<string, string>>;
  readonly isPost: boolean;
}

interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += (chunk as Buffer).toString("latin1");
  const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://x");
  const pairs = (request.headers.cookie ?? "").split("; ").map((one) => one.split("=") as [string, string]);
  const visit = { body, query, cookies: Object.fromEntries(pairs), isPost: request.method === "POST" };
  const [, product] = /^\/product\/(\d+)$/.exec(pathname) ?? [];
  const reply = product === undefined ? PAGES[pathname]?.(visit) : productPage(product);
  const { status = 200, headers = {}, body: text = "" } = reply ?? { status: 404, body: "nothing here" };
  response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
  response.end(text);
}

const page = (title: string, body: string): Reply => ({
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><nav><a href="/">Home</a> <a href="/products">Products</a> <a href="/cart">Cart</a> <a href="/login">Login</a></nav>${body}</body></html>`,
});

const goTo = (location: string, cookie: string): Reply => ({
  status: 303,
  headers: { location, "set-cookie": `${cookie}; path=/` },
});

const productPage = (id: string): Reply =>
  page(
    "Product",
    `<h1>Product ${id}</h1><p>A fine product. ${"Lorem ipsum dolor sit amet. ".repeat(40)}</p><button>Buy</button>`,
  );

const LOGIN = `<form method=post><label>Name <input name=name></label><label>Password <input type=password name=password></label><button>Sign in</button></form>`;

const PRODUCTS = Array.from({ length: 24 }, (_, index) => {
  const id = index + 1;
  return `<li><a href="/product/${id}">Product ${id}</a> $${id * 3} <form method=post action="/add?id=${id}"><button>Add Product ${id}</button></form></li>`;
}).join("");

const PAGES: Readonly<Record<string, (visit: Visit) => Reply>> = {
  "/": ({ cookies }) =>
    page(
      "Shop",
      `<h1>Welcome</h1><p>User: ${cookies["user"] ?? "guest"}</p><form action="/search"><label>Search <input name=q></label><button>Go</button></form>
<button onclick="localStorage.setItem('k', Number(localStorage.getItem('k') ?? 0) + 1); count.textContent = localStorage.getItem('k')">Count</button><span id=count></span>`,
    ),
  "/products": () => page("Products", `<h1>Products</h1><ul>${PRODUCTS}</ul>`),
  "/add": ({ query, cookies }) =>
    goTo("/cart", `cart=${[cookies["cart"], query.get("id")].filter(Boolean).join(".")}`),
  "/cart": ({ cookies }) =>
    page(
      "Cart",
      `<h1>Your cart</h1><p>Items: ${cookies["cart"] ?? "none"}</p><label>Voucher <input id=v></label>
<select aria-label="Shipping"><option>Standard</option><option>Express</option></select>
<button onclick="alert('Paid ' + v.value)">Pay</button><button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Clear</button>
<button onclick="document.title = 'P:' + prompt('Name?')">Ask</button>`,
    ),
  "/login"({ isPost, body }) {
    const form = new URLSearchParams(body);
    if (isPost && form.get("password") === "secret") return goTo("/", `user=${form.get("name")}`);
    return page("Login", `<h1>Login</h1>${isPost ? "<p role=alert>Wrong password</p>" : ""}${LOGIN}`);
  },
  "/search": ({ query }) => page("Search", `<h1>Results for ${query.get("q")}</h1><p>3 results</p>`),
  "/frame": () => page("Frame", `<h1>Outer</h1><iframe title="inner" src="/inner"></iframe>`),
  "/inner": () => ({
    body: `<label>Inside <input></label><button onclick="this.textContent = 'Clicked inside'">Inner button</button>`,
  }),
  "/upload": ({ isPost, body }) =>
    page(
      "Upload",
      isPost
        ? `<h1>Got ${body.length} bytes</h1>`
        : `<h1>Upload</h1><form method=post enctype="multipart/form-data"><label>File <input type=file name=f></label><button>Send</button></form>`,
    ),
  "/download": () => ({
    headers: { "content-type": "text/csv", "content-disposition": 'attachment; filename="orders.csv"' },
    body: "id,total\n1,10\n",
  }),
  "/links": () =>
    page(
      "Links",
      `<h1>Links</h1><a href="/download">Download orders</a> <a target=_blank href="/product/3">Open in new tab</a>`,
    ),
  "/scroll": () =>
    page(
      "Scroll",
      `<h1>Scroll</h1><div id=list></div><script>let n = 0;
function more() { for (let i = 0; i < 20; i++) { const row = document.createElement('p'); row.style.height = '60px'; row.textContent = 'Row ' + (++n); list.append(row) } }
more(); addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 800 && n < 200) more() })</script>`,
    ),
  "/shadow": () =>
    page(
      "Shadow",
      `<h1>Shadow</h1><my-element></my-element><script>customElements.define('my-element', class extends HTMLElement { constructor() { super();
const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<label>Shadow input <input></label><button>Shadow button</button><p id=o></p>';
root.querySelector('button').onclick = () => root.getElementById('o').textContent = 'shadow says ' + root.querySelector('input').value } })</script>`,
    ),
  "/big": () =>
    page(
      "Big",
      `<h1>Big</h1>${Array.from({ length: 5000 }, (_, index) => `<div><button onclick="document.title = 'hit ${index}'">Button ${index}</button></div>`).join("")}`,
    ),
  "/hover": () =>
    page(
      "Hover",
      `<h1>Hover</h1><div onmouseover="menu.hidden = false"><button>Menu</button><div id=menu hidden><a href="/cart">Secret item</a></div></div>
<script>console.log('console hello'); console.error('console bad')</script>`,
    ),
};
