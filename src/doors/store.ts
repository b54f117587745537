export { openStore } from "../store/open-store.ts";
