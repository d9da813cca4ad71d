import { ownFormSession } from "@/app/access";
import { act } from "@/components/developers/actions";
import { notFoundPage } from "@/components/plain/console";
import { goTo } from "@/components/session/requests";
import { readForm } from "@/lib/http/form";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ action: string }> };

/** Handles the developer forms, which must come from our own pages. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const session = await ownFormSession(request);
  const form = session && (await readForm(request));
  if (!form) return notFoundPage();
  return act((await params).action, session, form);
}

/** A reload or a bookmark of a form's address leads back to the page with the forms. */
export function GET(): Response {
  return goTo("/developers");
}
