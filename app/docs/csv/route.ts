import { writtenPage } from "@/components/docs/markdown";
import { docsWords } from "@/components/docs/words";

export const dynamic = "force-dynamic";

/** Documents the columns of a CSV file of posts. */
export function GET(): Promise<Response> {
  return writtenPage("csv", docsWords.csv);
}
