import { writtenPage } from "@/components/docs/markdown";
import { docsWords } from "@/components/docs/words";

export const dynamic = "force-dynamic";

/** What the columns of a file of posts mean. */
export function GET(): Promise<Response> {
  return writtenPage("csv", docsWords.csv);
}
