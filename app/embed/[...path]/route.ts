import { attemptText, embeddedEndPage, embeddedPage } from "@/components/plain/connect/frame";
import { notFoundPage } from "@/components/plain/console";
import { limitEmbedded, type Refusal } from "@/lib/api";
import {
  type EmbeddedSession,
  findConnectSession,
  openConnectSession,
  ownerOfAccountsFrame,
  readEmbedded,
  startEmbeddedConnect,
} from "@/lib/connect";
import { env } from "@/lib/env";
import { ApiError, BadRequest, NotFound } from "@/lib/errors";
import { readText } from "@/lib/http/form";
import { chooseLanguage, type PageLanguage } from "@/lib/partners";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ path: string[] }> };

const MAX_BODY_BYTES = 4_096;

/**
 * The lists in a partner's page (docs/connect-embedded.md): their pages in a frame, what the scripts of these pages ask for, and
 * the page at which windows end. No cookie is read: each call brings the token of the frame. The list of webhooks calls the API.
 * Requests count against limits: those that read against that of the API, and those that write for their address (app/rate-limited.ts).
 */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const [area, id = "", what] = (await params).path;
  if (area === "connected" && !id) return embeddedEndPage(languageOf(request));
  if (area === "connect" && what === "accounts") {
    const token = tokenOf(request);
    return limitEmbedded(request.headers, await ownerOfAccountsFrame(id, token), () =>
      answered(async () => {
        const { attempt, ...list } = await readEmbedded(id, token, new URL(request.url).searchParams.get("ticket"));
        return {
          ...list,
          ...(attempt ? { attempt: { ...attempt, text: attemptText(attempt, languageOf(request)) } } : {}),
        };
      }),
    );
  }
  const shows = contentOf(area);
  const pageFor = async (refusal?: Refusal) => {
    const session = shows && what === undefined ? await findConnectSession(id, shows) : undefined;
    return session && embeddedPage(session, languageOf(request, session.branding?.language), refusal);
  };
  return limitEmbedded(request.headers, undefined, async () => (await pageFor()) ?? notFoundPage(), pageFor);
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  const [area, id = "", what] = (await params).path;
  const shows = contentOf(area);
  if (!shows) return notFoundPage();
  return answered(async () => {
    // Other sites cannot read the answers. This also keeps them from opening a session whose token they know.
    if (request.headers.get("origin") !== new URL(env.appUrl).origin)
      throw new BadRequest("Only the frame can call this");
    const body = await bodyOf(request);
    if (what === "open")
      return openConnectSession(id, { clientToken: text(body.clientToken), origin: text(body.origin), shows });
    if (what === "links" && shows === "accounts")
      return startEmbeddedConnect(id, tokenOf(request), text(body.platform));
    throw new NotFound("Call", what ?? "");
  });
}

function contentOf(area: string | undefined): EmbeddedSession["shows"] | undefined {
  if (area === "connect") return "accounts";
  return area === "webhooks" ? area : undefined;
}

function languageOf(request: Request, partner?: PageLanguage): PageLanguage {
  return chooseLanguage({ partner, acceptLanguage: request.headers.get("accept-language") });
}

async function answered(work: () => Promise<object>): Promise<Response> {
  const headers = { "Cache-Control": "no-store" };
  try {
    return Response.json(await work(), { headers });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return Response.json({ error: error.message }, { status: error.status, headers });
  }
}

function tokenOf(request: Request): string {
  return /^Bearer ([\w-]{1,100})$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

async function bodyOf(request: Request): Promise<{ [field: string]: unknown }> {
  try {
    const body: unknown = JSON.parse((await readText(request, MAX_BODY_BYTES)) ?? "");
    return Object.fromEntries(Object.entries(body ?? {}));
  } catch {
    throw new BadRequest("The body must be a JSON object");
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
