import { pageNamed } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/api";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ page: string }> };

/** A page of the documentation: a call by its `operationId`, a guide, or a table of the reference. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  return pageNamed(openApiDocument(), (await params).page);
}
