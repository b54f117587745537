// A process whose browser shows a page, until it is killed. Its argument is the folder in which programs are recorded.
import "../support/programs/end-with-parent.ts";
import { openBrowserPlace } from "../support/browser/browser.ts";

const place = await openBrowserPlace({ stateFolder: process.argv[2] ?? "" });
await place.text("navigate", { url: `${place.origin}/form` });
console.log("shown");
setInterval(() => undefined, 1000);
