import { writtenPage } from "@/components/docs/written";
import * as words from "@/components/words/docs";

export const dynamic = "force-dynamic";

/** What the columns of a file of posts mean. */
export function GET(): Promise<Response> {
  return writtenPage("csv", words.csv);
}
