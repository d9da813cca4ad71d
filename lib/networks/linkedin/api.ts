import { z } from "zod";
import type { NetworkCall, NetworkSession, Profile } from "../network";
import { readAnswer } from "../wire/json";

/** The newest documented version (learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes). */
const NAME = "202609";

/** A version is a month; it ends one year later on the 15th of that month or the next working day. */
export const version = { name: NAME, endsOn: `${Number(NAME.slice(0, 4)) + 1}-${NAME.slice(4)}-15` };

/** The member's URN, as author of posts and owner of files. */
export function authorOf({ accountId }: NetworkSession): string {
  return `urn:li:person:${accountId}`;
}

/** Calls the versioned API with the headers that every call needs. */
export function rest(session: NetworkSession, path: string, body?: object, more: NetworkCall = {}): Promise<Response> {
  const headers = { "linkedin-version": version.name, "x-restli-protocol-version": "2.0.0" };
  if (!body) return session.fetch(path, { ...more, headers });
  const json = { "content-type": "application/json", ...headers };
  return session.fetch(path, { method: "POST", ...more, headers: json, body: JSON.stringify(body) });
}

const userSchema = z.object({
  sub: z.string().min(1),
  name: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  picture: z.string().optional(),
});

/** …/consumer/integrations/self-serve/sign-in-with-linkedin-v2; the public handle needs a permission that LinkedIn does not grant. */
export async function me(session: NetworkSession): Promise<Profile> {
  const user = await readAnswer("LinkedIn", userSchema, await session.fetch("/v2/userinfo"));
  const name = user.name || [user.given_name, user.family_name].filter(Boolean).join(" ") || user.sub;
  return { accountId: user.sub, username: name, displayName: name, avatarUrl: user.picture };
}

/** A link preview card. */
export type Article = { source: string; title: string; description?: string; thumbnail?: string };

/** An uploaded file with its alternative text. */
export type Uploaded = { id: string; altText?: string };

export type Content = { media: Uploaded } | { multiImage: { images: Uploaded[] } } | { article: Article };

export type LinkedInPost = { commentary: string; visibility: "PUBLIC" | "CONNECTIONS"; content?: Content };

/** Creates a post (…/shares/posts-api) and returns its ID from a header; without the header the post exists but its ID is unknown. */
export async function createPost(
  session: NetworkSession,
  { commentary, visibility, content }: LinkedInPost,
): Promise<string> {
  const body = {
    author: authorOf(session),
    commentary,
    visibility,
    distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
    content,
    lifecycleState: "PUBLISHED",
    isReshareDisabledByAuthor: false,
  };
  const response = await rest(session, "/rest/posts", body, { timeoutSeconds: 60 });
  return response.headers.get("x-restli-id") ?? "";
}
