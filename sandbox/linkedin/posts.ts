import * as z from "zod";
import { type Call, hasFault } from "../core/network";
import { assertUsable, ownAsset, registeredAsset } from "./assets";
import {
  assertAuthor,
  assertProtocol,
  badShape,
  badValue,
  detailedValue,
  duplicateOf,
  forbidden,
  jsonBody,
  LinkedInError,
  type LinkedInSession,
  noPermission,
  sessionOf,
  unversionedSessionOf,
} from "./request";
import type { Asset, LinkedInState } from "./state";

const RESERVED = new Set("|{}@[]()<>#\\*_~");
const HASHTAG = /^\{hashtag\|\\#\|((?:[^|{}\\]|\\.)+)\}/;
const MENTION = /^@\[((?:[^\]\\]|\\.)+)\]\(urn:li:(?:person|organization):[\w-]+\)/;

/**
 * The visible text of a commentary in LinkedIn's "little" format. An unescaped reserved character outside an element is not an
 * error: the text ends there. Source: learn.microsoft.com, little text format.
 */
export function visibleText(commentary: string): string {
  let shown = "";
  for (let rest = commentary; rest !== ""; ) {
    const [, escaped] = /^\\(.)/su.exec(rest) ?? [];
    const [tag, word] = HASHTAG.exec(rest) ?? [];
    const [mention, name] = MENTION.exec(rest) ?? [];
    const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (escaped !== undefined && RESERVED.has(escaped)) {
      shown += escaped;
      rest = rest.slice(1 + escaped.length);
    } else if (tag && word) {
      shown += `#${plain(word)}`;
      rest = rest.slice(tag.length);
    } else if (mention && name) {
      shown += plain(name);
      rest = rest.slice(mention.length);
    } else if (!RESERVED.has(letter) || /^#[\p{L}\p{N}]/u.test(rest)) {
      shown += letter;
      rest = rest.slice(letter.length);
    } else break;
  }
  return shown;
}

const plain = (text: string) => text.replace(/\\(.)/gsu, "$1");

const DUPLICATE_SECONDS = 600;
const MAX_TEXT = 3000;

const Media = z.strictObject({
  id: z.string(),
  altText: z.string().max(4086).optional(),
  title: z.string().optional(),
});
const NewPost = z.strictObject({
  author: z.string(),
  commentary: z.string(),
  visibility: z.enum(["PUBLIC", "CONNECTIONS", "LOGGED_IN", "CONTAINER"]),
  distribution: z.strictObject({
    feedDistribution: z.enum(["MAIN_FEED", "NONE"]),
    targetEntities: z.array(z.unknown()).optional(),
    thirdPartyDistributionChannels: z.array(z.unknown()).optional(),
  }),
  lifecycleState: z.literal("PUBLISHED"),
  isReshareDisabledByAuthor: z.boolean().optional(),
  container: z.string().optional(),
  content: z
    .strictObject({
      media: Media.optional(),
      multiImage: z
        .strictObject({ images: z.array(Media.omit({ title: true })), altText: z.string().optional() })
        .optional(),
      article: z
        .strictObject({
          source: z.url(),
          title: z.string().min(1).max(400),
          description: z.string().max(4086).optional(),
          thumbnail: z.string().optional(),
        })
        .optional(),
    })
    .optional(),
});
type NewPost = z.output<typeof NewPost>;

/** `POST /rest/posts`: returns the id in a header and an empty body. */
export async function createPost(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "posts.CREATE");
  const body = await jsonBody(call, NewPost);
  assertAuthor(session, body.author);
  if (body.visibility === "CONTAINER" || body.container) throw noPermission("groups.CREATE");
  if (body.distribution.feedDistribution === "NONE")
    throw badValue("/distribution/feedDistribution :: members have no dark posts");
  const text = visibleText(body.commentary);
  if (lengthOf(state, body.commentary) > MAX_TEXT)
    throw detailedValue(state, `/commentary exceeds ${MAX_TEXT} characters`, "FIELD_LENGTH_TOO_LONG");
  const assets = assetsOf(state, session, body);
  if (hasFault(call, "file_unknown") && assets[0])
    throw forbidden(`Accessing this ${assets[0].kind} resource is forbidden`);
  if (text === "" && assets.length === 0 && !body.content?.article) throw badValue("/commentary must not be empty");
  assertNotDuplicate(state, body);
  const urn = state.world.transaction(() => storePost(state, session, body, text, assets));
  if (hasFault(call, "no_activity")) throw forbidden(`Unable to obtain activity for ${urn}`);
  return call.body(null, 201, { [state.switches.idHeader]: urn });
}

function lengthOf({ switches }: LinkedInState, commentary: string): number {
  const counted = switches.escapesCount ? commentary : visibleText(commentary);
  return switches.textUnit === "code points" ? [...counted].length : counted.length;
}

const Words = z.strictObject({ text: z.string(), attributes: z.array(z.unknown()).optional() });

const UgcPost = z.strictObject({
  author: z.string(),
  lifecycleState: z.literal("PUBLISHED"),
  specificContent: z.strictObject({
    "com.linkedin.ugc.ShareContent": z.strictObject({
      shareCommentary: Words,
      shareMediaCategory: z.enum(["NONE", "ARTICLE", "IMAGE", "VIDEO"]),
      media: z
        .array(
          z.strictObject({
            status: z.literal("READY"),
            description: Words.optional(),
            media: z.string().optional(),
            originalUrl: z.url().optional(),
            title: Words.optional(),
          }),
        )
        .default([]),
    }),
  }),
  visibility: z.strictObject({ "com.linkedin.ugc.MemberNetworkVisibility": z.enum(["PUBLIC", "CONNECTIONS"]) }),
});

/**
 * `POST /v2/ugcPosts`: the older way to post, which LinkedIn still documents for applications with the product Share on LinkedIn
 * (learn.microsoft.com, Share on LinkedIn), and with which a service in production posts. Its texts have no markup.
 */
export async function createUgcPost(state: LinkedInState, call: Call): Promise<Response> {
  assertProtocol(call);
  const session = unversionedSessionOf(state, call, "ugcPosts.CREATE");
  const { author, specificContent, visibility } = await jsonBody(call, UgcPost);
  const { shareCommentary, shareMediaCategory: category, media } = specificContent["com.linkedin.ugc.ShareContent"];
  assertAuthor(session, author);
  const { text } = shareCommentary;
  if (text.length > MAX_TEXT)
    throw badValue(`/shareCommentary exceeds ${MAX_TEXT} characters`, "FIELD_LENGTH_TOO_LONG");
  if ((category === "NONE") !== (media.length === 0)) throw badValue("/media does not fit /shareMediaCategory");
  const [first] = media;
  const article = first?.originalUrl
    ? { source: first.originalUrl, title: first.title?.text ?? first.originalUrl }
    : undefined;
  if ((category === "ARTICLE") !== (article !== undefined)) throw badValue("/media/0/originalUrl is only for articles");
  const assets = article ? [] : media.map((one) => registeredAsset(state, session, one.media ?? ""));
  if (assets.some(({ kind }) => kind !== category.toLowerCase())) throw badValue(`/media :: not all are ${category}`);
  const ids = assets.map(({ urn: id }) => ({ id }));
  const [only, ...others] = ids;
  const content = article
    ? { article }
    : only && others.length === 0
      ? { media: only }
      : only && { multiImage: { images: ids } };
  const body: NewPost = {
    author,
    commentary: text,
    visibility: visibility["com.linkedin.ugc.MemberNetworkVisibility"],
    distribution: { feedDistribution: "MAIN_FEED" },
    lifecycleState: "PUBLISHED",
    content,
  };
  assertNotDuplicate(state, body);
  const id = state.world.transaction(() => storePost(state, session, body, text, assets));
  return call.json({ id }, 201, { "x-restli-id": id });
}

/** `GET /rest/posts`: rejected, because posts of members cannot be read. */
export function readPosts(state: LinkedInState, call: Call): Response {
  sessionOf(state, call, "posts.FINDER-author");
  throw noPermission("posts.FINDER-author");
}

/** The assets of a post. They must belong to the author, be ready and be of one kind. */
function assetsOf(state: LinkedInState, session: LinkedInSession, { author, content }: NewPost): Asset[] {
  const { media, multiImage, article } = content ?? {};
  if ([media, multiImage, article].filter(Boolean).length > 1) throw badShape("/content :: only one kind is allowed");
  if (multiImage && (multiImage.images.length < 2 || multiImage.images.length > 20)) {
    throw badValue("/content/multiImage/images :: from 2 to 20 images are allowed");
  }
  const ids = [...(media ? [media] : []), ...(multiImage?.images ?? [])].map(({ id }) => id);
  if (article?.thumbnail) ids.push(article.thumbnail);
  return ids.map((id) => {
    const asset = ownAsset(state, session, id);
    if (asset.owner !== author) throw forbidden(`Accessing this ${asset.kind} resource is forbidden`);
    if ((multiImage || article) && asset.kind !== "image") throw badValue(`${id} is not an image`, "INVALID_URN_TYPE");
    assertUsable(state, asset);
    return asset;
  });
}

/** What LinkedIn compares. Whether another upload of the same file makes another post is not documented. */
function contentKeyOf({ switches }: LinkedInState, { commentary, visibility, content }: NewPost): string {
  const isText = !content?.media && !content?.multiImage;
  return JSON.stringify([commentary, visibility, switches.duplicatesIgnoreMedia && !isText ? "media" : content]);
}

function assertNotDuplicate(state: LinkedInState, body: NewPost): void {
  const since = state.world.clock.now() - DUPLICATE_SECONDS * 1000;
  const same = state.recent
    .values()
    .find(
      (post) => post.author === body.author && post.createdAt > since && post.contentKey === contentKeyOf(state, body),
    );
  if (same) throw duplicateOf(same.urn);
}

function storePost(
  state: LinkedInState,
  session: LinkedInSession,
  body: NewPost,
  text: string,
  assets: Asset[],
): string {
  const isVideo = assets.some(({ kind }) => kind === "video");
  const urn = `urn:li:${isVideo ? "ugcPost" : "share"}:${state.world.ids.unixSnowflake()}`;
  const createdAt = state.world.clock.now();
  const { visibility, content } = body;
  const thumbnail = assets.find((asset) => asset.thumbnail)?.thumbnail;
  const { article, media, multiImage } = content ?? {};
  const altTexts = (media ? [media] : (multiImage?.images ?? [])).map(({ altText }) => altText ?? null);
  state.world.posts.add({
    id: urn,
    network: "linkedin",
    account: session.account,
    text,
    media: assets.flatMap(({ file }) => file ?? []),
    settings: {
      visibility,
      ...(body.author === session.urn ? {} : { author: body.author }),
      ...(article ? { article } : {}),
      ...(thumbnail ? { thumbnail } : {}),
      ...(media?.title ? { title: media.title } : {}),
      ...(altTexts.some(Boolean) ? { altTexts } : {}),
    },
    permalink: `https://www.linkedin.com/feed/update/${urn}/`,
    receivedTime: new Date(createdAt).toISOString(),
  });
  for (const old of state.recent.values()) {
    if (old.createdAt <= createdAt - DUPLICATE_SECONDS * 1000) state.recent.delete(old.urn);
  }
  state.recent.put(urn, { urn, author: body.author, contentKey: contentKeyOf(state, body), createdAt });
  return urn;
}

const MAX_COMMENT = 1250;

const NewComment = z.strictObject({
  actor: z.string(),
  object: z.string(),
  message: z.strictObject({ text: z.string().min(1), attributes: z.array(z.unknown()).optional() }),
  parentComment: z.string().optional(),
});

/** `POST /rest/socialActions/{urn}/comments`. Source: learn.microsoft.com, comments API. */
export async function createComment(state: LinkedInState, call: Call): Promise<Response> {
  const session = sessionOf(state, call, "partnerApiSocialActions.CREATE-comments");
  const { actor, object, message } = await jsonBody(call, NewComment);
  const urn = urnOf(call);
  if (!session.authors.includes(actor)) throw forbidden("The member may not comment as this actor");
  if (object !== urn) throw badValue("/object must be the post in the path");
  const post = state.world.posts.list("linkedin").find(({ id }) => id === urn);
  if (!post) throw new LinkedInError(404, "NOT_FOUND", `Could not find entity ${urn}`);
  if (message.text.length > MAX_COMMENT)
    throw badValue(`/message/text exceeds ${MAX_COMMENT} characters`, "FIELD_LENGTH_TOO_LONG");
  const id = state.world.ids.unixSnowflake();
  const createdAt = state.world.clock.now();
  state.world.posts.add({
    id,
    network: "linkedin",
    account: session.account,
    text: message.text,
    media: [],
    replyTo: urn,
    settings: {},
    permalink: post.permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  const comment = {
    id,
    actor,
    object,
    message,
    commentUrn: `urn:li:comment:(${urn},${id})`,
    created: { actor, time: createdAt },
  };
  return call.json(comment, 201, { "x-restli-id": id });
}

/** Members' comments cannot be read without a permission that LinkedIn grants to few partners. */
export function readComments(state: LinkedInState, call: Call): Response {
  sessionOf(state, call, "partnerApiSocialActions.GET_ALL-comments");
  throw noPermission("partnerApiSocialActions.GET_ALL-comments");
}

/** The URN before `/comments`, which must be percent-encoded. */
function urnOf(call: Call): string {
  const part = new URL(call.req.url).pathname.split("/").at(-2) ?? "";
  if (part.includes(":")) throw new LinkedInError(400, "ILLEGAL_ARGUMENT", "URNs in a path must be encoded");
  return decodeURIComponent(part);
}
