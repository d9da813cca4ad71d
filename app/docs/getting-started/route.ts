import { writtenPage } from "@/components/docs/markdown";
import { docsWords } from "@/components/docs/words";

export const dynamic = "force-dynamic";

/** A test runs the commands of this page exactly as written. */
export function GET(): Promise<Response> {
  return writtenPage("getting-started", docsWords.gettingStarted);
}
