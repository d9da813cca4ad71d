import { writtenPage } from "@/components/docs/markdown";
import { docsWords } from "@/components/docs/words";

export const dynamic = "force-dynamic";

/** A test runs its commands as they stand there. */
export function GET(): Promise<Response> {
  return writtenPage("getting-started", docsWords.gettingStarted);
}
