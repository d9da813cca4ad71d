import { measureApi } from "./api/measure";
import { measureDispatch } from "./dispatch/measure";
import { measurePages } from "./pages/measure";
import { measureRest } from "./rest/measure";
import { measureScale } from "./scale/measure";
import { measureUpload } from "./upload/measure";

/** `npm run bench -- <name> [--short]`. Each benchmark starts its own services, with separate data and ports. */
const measures: { [name: string]: (options: { short: boolean }) => Promise<void> } = {
  api: measureApi,
  dispatch: measureDispatch,
  pages: measurePages,
  rest: measureRest,
  scale: measureScale,
  upload: measureUpload,
};

const [name = "", ...flags] = process.argv.slice(2);
const measure = measures[name];
if (!measure || flags.some((flag) => flag !== "--short")) {
  console.error(`Usage: npm run bench -- ${Object.keys(measures).join("|")} [--short]`);
  process.exit(1);
}
await measure({ short: flags.includes("--short") });
