import { ownForm } from "@/app/access";
import { act } from "@/components/developers/actions";
import { notFoundPage } from "@/components/plain/console";
import { goTo } from "@/components/session/requests";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ action: string }> };

/** Handles the developer forms, which must come from our own pages. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  const sent = await ownForm(request);
  return sent ? act((await params).action, sent.session, sent.form) : notFoundPage();
}

/** A reload or a bookmark of a form's address leads back to the page with the forms. */
export function GET(): Response {
  return goTo("/developers");
}
