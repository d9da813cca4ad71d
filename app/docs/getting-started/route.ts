import { writtenPage } from "@/components/docs/written";
import * as words from "@/components/words/docs";

export const dynamic = "force-dynamic";

/** A test runs its commands as they stand there. */
export function GET(): Promise<Response> {
  return writtenPage("getting-started", words.gettingStarted);
}
