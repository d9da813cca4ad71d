import { cookiePrefix, isPrefetch, nothingOpened, refused, sendOn } from "@/components/connect/answers";
import { completeAttempt } from "@/lib/connect";
import { StateExpired } from "@/lib/errors";
import { cookiesWithPrefix } from "@/lib/http/cookies";
import { platforms, platformValues } from "@/lib/platforms";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ platform: string }> };

/** Where a network sends the browser back to. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  if (isPrefetch(request.headers)) return nothingOpened();
  try {
    const { platform: name } = await params;
    const platform = platformValues.find((value) => platforms[value] === name);
    if (!platform) throw new StateExpired();
    const nonces = cookiesWithPrefix(request.headers, cookiePrefix).slice(0, 20);
    const { location } = await completeAttempt(platform, new URL(request.url).searchParams, nonces);
    return sendOn(location);
  } catch (error) {
    return refused(error);
  }
}

export function HEAD(): Response {
  return nothingOpened();
}
