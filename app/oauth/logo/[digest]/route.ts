import { findLogo } from "@/lib/partners";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ digest: string }> };

/** A partner's logo. The address contains the digest of its bytes, so it can be cached forever. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { digest } = await params;
  const logo = /^[0-9a-f]{64}$/.test(digest) ? await findLogo(digest) : undefined;
  if (!logo) return Response.json({ error: "Logo not found" }, { status: 404 });
  return new Response(new Uint8Array(logo), {
    headers: {
      "Content-Type": "image/png",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; sandbox",
      // The console shows the connect page in a sandboxed frame, whose origin is not ours.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
