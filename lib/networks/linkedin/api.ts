import { z } from "zod";
import type { Destination, NetworkCall, NetworkSession, Profile } from "../network";
import { readAnswer } from "../wire/json";

/** The newest documented version (learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes). */
const NAME = "202609";

/** A version is a month; it ends one year later on the 15th of that month or the next working day. */
export const apiVersion = { name: NAME, endsOn: `${Number(NAME.slice(0, 4)) + 1}-${NAME.slice(4)}-15` };

/** Posting as a company page. */
export const PAGES_SCOPE = "w_organization_social";

/** The URN of the author of posts and owner of files: the company page that a post goes to, or the member. */
export function authorOf({ accountId }: NetworkSession, page?: string): string {
  return page ?? `urn:li:person:${accountId}`;
}

/** Calls the versioned API with the headers that every call needs. */
export function rest(session: NetworkSession, path: string, body?: object, more: NetworkCall = {}): Promise<Response> {
  const headers = { "linkedin-version": apiVersion.name, "x-restli-protocol-version": "2.0.0" };
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

/** Roles with which a member may post as a company page (…/shares/posts-api, permissions). */
const MAY_POST = ["ADMINISTRATOR", "CONTENT_ADMINISTRATOR", "CONTENT_ADMIN", "DIRECT_SPONSORED_CONTENT_POSTER"];
const PAGE_SIZE = 100;
/** More than any member has; protects against a list that never ends. */
const MOST_PAGES = 1_000;

/** LinkedIn's samples name the page in either field. */
const aclsSchema = z.object({
  elements: z.array(
    z.object({
      role: z.string().optional(),
      organization: z.string().optional(),
      organizationTarget: z.string().optional(),
    }),
  ),
});
const namesSchema = z.object({ results: z.record(z.string(), z.object({ localizedName: z.string().optional() })) });

/**
 * Lists the company pages that the member may post to. A member who did not grant the permission for pages has none.
 * …/organizations/organization-access-control-by-role and …/organizations/organization-lookup-api
 */
export async function listPages(session: NetworkSession): Promise<Destination[]> {
  if (!session.tokens.scopes?.includes(PAGES_SCOPE)) return [];
  const urns = new Set<string>();
  for (let start = 0; start < MOST_PAGES; start += PAGE_SIZE) {
    const path = `/rest/organizationAcls?q=roleAssignee&state=APPROVED&start=${start}&count=${PAGE_SIZE}`;
    const { elements } = await readAnswer("LinkedIn", aclsSchema, await rest(session, path));
    for (const { role = "", organization, organizationTarget } of elements) {
      const urn = organization ?? organizationTarget;
      if (urn && MAY_POST.includes(role)) urns.add(urn);
    }
    if (elements.length < PAGE_SIZE) break;
  }
  return named(session, [...urns]);
}

const idIn = (urn: string) => urn.slice(urn.lastIndexOf(":") + 1);

/** `organizations` answers for pages that the member administers, `organizationsLookup` for every page (…/organization-lookup-api). */
async function named(session: NetworkSession, urns: string[]): Promise<Destination[]> {
  const names = new Map<string, string>();
  for (const resource of ["organizations", "organizationsLookup"]) {
    const unnamed = urns.map(idIn).filter((id) => !names.has(id));
    if (unnamed.length > 0) await addNames(session, `/rest/${resource}?ids=List(${unnamed.join(",")})`, names);
  }
  return urns.map((id) => ({ id, title: names.get(idIn(id)) ?? idIn(id), type: "PAGE" }));
}

async function addNames(session: NetworkSession, path: string, names: Map<string, string>): Promise<void> {
  const accept = [400, 403, 404]; // a page without its name is listed by its ID
  const response = await rest(session, path, undefined, { accept });
  if (!response.ok) return;
  const { results } = await readAnswer("LinkedIn", namesSchema, response);
  for (const [id, { localizedName }] of Object.entries(results)) if (localizedName) names.set(id, localizedName);
}

/** A link preview card. */
export type Article = { source: string; title: string; description?: string; thumbnail?: string };

/** An uploaded file with its alternative text, or the title of a document. */
export type Uploaded = { id: string; altText?: string; title?: string };

export type Content = { media: Uploaded } | { multiImage: { images: Uploaded[] } } | { article: Article };

export type LinkedInPost = {
  author: string;
  commentary: string;
  visibility: "PUBLIC" | "CONNECTIONS";
  content?: Content;
};

/**
 * Creates a post (…/shares/posts-api) and returns its ID from a header. `x-restli-id` is documented; some answers were reported with
 * `x-linkedin-id`. Without both, the post exists but its ID is unknown.
 */
export async function createPost(
  session: NetworkSession,
  { author, commentary, visibility, content }: LinkedInPost,
): Promise<string> {
  const body = {
    author,
    commentary,
    visibility,
    distribution: { feedDistribution: "MAIN_FEED", targetEntities: [], thirdPartyDistributionChannels: [] },
    content,
    lifecycleState: "PUBLISHED",
    isReshareDisabledByAuthor: false,
  };
  const response = await rest(session, "/rest/posts", body, { timeoutSeconds: 60 });
  return response.headers.get("x-restli-id") ?? response.headers.get("x-linkedin-id") ?? "";
}

/**
 * Comments on a post and returns the comment's ID (…/shares/comments-api#create-comment). The text is plain, unlike that of posts.
 * LinkedIn does not document which URN `object` may be; production clients send that of the post.
 */
export async function createComment(
  session: NetworkSession,
  { post, text, page }: { post: string; text: string; page?: string },
): Promise<string> {
  const body = { actor: authorOf(session, page), object: post, message: { text } };
  const path = `/rest/socialActions/${encodeURIComponent(post)}/comments`;
  const response = await rest(session, path, body, { timeoutSeconds: 60 });
  return response.headers.get("x-restli-id") ?? "";
}
