import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import { contentsOf, markdown } from "./markdown";
import { docsPage } from "./page";

/** The address that the text is written for; on the page it is this service's own. */
const WRITTEN_FOR = "http://localhost:3000";

/** A text of `docs/` as a page below `/docs`. @param name of its file, without the ending */
export async function writtenPage(name: string, title: string): Promise<Response> {
  const written = await readFile(join(process.cwd(), "docs", `${name}.md`), "utf8");
  const text = written.replaceAll(WRITTEN_FOR, env.baseUrl);
  return docsPage({ title, here: `/docs/${name}`, contents: contentsOf(text), body: markdown(text) });
}
