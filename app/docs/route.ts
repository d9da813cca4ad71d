import { referencePage } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/api";

/** Not at build time: the addresses in it are settings of the process that serves. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return referencePage(openApiDocument());
}
