import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import { contentsOf, markdown } from "./markdown";
import { docsPage } from "./page";

/** The address that the text is written for; on the page it is this service's own. */
const WRITTEN_FOR = "http://localhost:3000";

/** `docs/getting-started.md` as a page; a test runs its commands as they stand there. */
export async function gettingStartedPage(): Promise<Response> {
  const written = await readFile(join(process.cwd(), "docs/getting-started.md"), "utf8");
  const text = written.replaceAll(WRITTEN_FOR, env.baseUrl);
  return docsPage({
    title: "Getting started",
    here: "/docs/getting-started",
    contents: contentsOf(text),
    body: markdown(text),
  });
}
