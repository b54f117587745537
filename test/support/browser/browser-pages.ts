import type { IncomingMessage, ServerResponse } from "node:http";

const html = (title: string, body: string): string => `<!doctype html><title>${title}</title>${body}`;

/** What each address answers; `attack` contains the addresses that its page tries to reach. */
export interface Pages {
  readonly [path: string]: (request: IncomingMessage, response: ServerResponse) => void;
}

const page =
  (title: string, body: string): Pages[string] =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end(html(title, body));

/** Returns pages with everything that a browser meets. `targets` are addresses that `/attack` tries to reach in every way. */
export function browserPages(targets: readonly string[] = []): Pages {
  return {
    "/form": page(
      "Form",
      `<form action=/greet method=post><label>Name <input name=name></label><label>Pin <input type=password name=pin value=4711></label>
      <select name=size aria-label=Size><option>small<option>large</select><label><input type=checkbox name=news>News</label><button>Send</button></form>`,
    ),
    "/greet": (request, response) => {
      let sent = "";
      request.on("data", (chunk: Buffer) => (sent += chunk.toString()));
      request.on("end", () => page("Greeting", `<p>sent ${sent}</p>`)(request, response));
    },
    "/spa": page(
      "Shop",
      `<main></main><script>
      const show = () => { document.querySelector("main").innerHTML = "<h1>" + (location.pathname === "/cart" ? "Your cart" : "All goods") +
        "</h1><button>" + (location.pathname === "/cart" ? "Pay" : "Cart") + "</button>";
        document.querySelector("button").onclick = () => { history.pushState(null, "", "/cart"); show(); }; };
      show();</script>`,
    ),
    "/nested": page(
      "Nested",
      `<iframe src=/inner title=inner></iframe><div id=host></div><output></output><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<button>In the shadow</button>";
      host.shadowRoot.querySelector("button").onclick = () => document.querySelector("output").textContent = "shadow clicked";</script>`,
    ),
    "/inner": page("Inner", `<button onclick="this.textContent = 'Frame clicked'">In the frame</button>`),
    "/files": page(
      "Files",
      `<a href=/report.csv>Report</a><input type=file aria-label=Upload><button id=choose>Choose</button><output></output><script>
      const field = document.querySelector("input");
      choose.onclick = () => field.click();
      field.onchange = async () => document.querySelector("output").textContent = field.files[0].name + ": " + await field.files[0].text();</script>`,
    ),
    "/report.csv": (_, response) =>
      void response
        .writeHead(200, { "content-disposition": "attachment; filename=../report.csv" })
        .end("1,2\n"),
    "/dialogs": page(
      "Dialogs",
      `<button onclick="out.textContent = confirm('Delete it?')">Delete</button>
      <button onclick="out.textContent = prompt('Your name?')">Ask</button><output id=out>nothing</output>`,
    ),
    "/log": page("Log", `<script>console.warn("careful"); undefinedFunction();</script>`),
    "/popup": page("Popup", `<a href=/slow target=_blank>Open</a>`),
    "/slow": (request, response) => void setTimeout(() => page("Slow", "late")(request, response), 400),
    "/hang": page("Hang", `<button onclick="for (;;);">Hang</button>`),
    "/big": page(
      "Big",
      `<h1>Many rows</h1>${Array.from({ length: 1666 }, (_, row) => `<p>Row ${row}</p><a href=/row/${row}>Open ${row}</a><button>Delete ${row}</button>`).join("")}`,
    ),
    "/attack": page("Attack", targets.map(attackOf).join("")),
    "/redirect": (_, response) => void response.writeHead(302, { location: targets[0] }).end(),
  };
}

/** Reaches for an address as an image, a frame, a script, a request, a beacon, a WebSocket and through WebRTC. */
function attackOf(target: string): string {
  const { host, hostname, port } = new URL(target);
  return `<img src="${target}img"><iframe src="${target}frame"></iframe><script src="${target}script"></script><script>
    fetch("${target}fetch", { mode: "no-cors" }).catch(() => undefined);
    navigator.sendBeacon("${target}beacon", "x");
    new WebSocket("ws://${host}/socket");
    new RTCPeerConnection({ iceServers: [{ urls: "turn:${hostname}:${port}?transport=tcp", username: "a", credential: "b" }] })
      .createDataChannel("x");</script>`;
}
