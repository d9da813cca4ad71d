import { referencePage } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/api";

/** Rendered for each request, because the addresses in it are settings of the running process. */
export const dynamic = "force-dynamic";

export function GET(): Response {
  return referencePage(openApiDocument());
}
