import { isPrefetch, nothingOpened, refused, sendOn } from "@/components/plain/connect/answers";
import { armRehearsal, completeAttempt } from "@/lib/connect";
import { noncesOf } from "@/lib/connect/cookies";
import { StateExpired } from "@/lib/errors";
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
    const query = new URL(request.url).searchParams;
    await armRehearsal(query.get("state") ?? "");
    const { location, whose } = await completeAttempt(platform, query, noncesOf(request.headers));
    return await sendOn(location, { whose });
  } catch (error) {
    return refused(error, request);
  }
}

export function HEAD(): Response {
  return nothingOpened();
}
