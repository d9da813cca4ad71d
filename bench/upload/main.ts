import { measureUpload } from "./measure";

await measureUpload({ short: process.argv.includes("--short") });
