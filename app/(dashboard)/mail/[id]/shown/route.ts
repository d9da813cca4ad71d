import { notFoundPage } from "@/components/plain/console";
import { NotFound } from "@/lib/errors";
import { stillPolicy } from "@/lib/http/page-policy";
import { getStoredMail } from "@/lib/mail";
import { sessionUser } from "@/lib/users";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ id: string }> };

/** The HTML of a stored mail, for the frame of its page. Its links open outside the frame. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const user = await sessionUser(request.headers);
  if (!user) return notFoundPage();
  const mail = await getStoredMail(user.id, (await params).id).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (!mail) return notFoundPage();
  const styles = [...mail.html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = ""]) => style);
  return new Response(mail.html.replace("<head>", '<head><base target="_top">'), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": stillPolicy({ styles, hasStyleAttributes: true, isFramed: true }),
    },
  });
}
