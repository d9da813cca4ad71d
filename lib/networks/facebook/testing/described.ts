import { graphApi, type NetworkSchema, type Nodes, type TokenCall, withTokenCalls } from "../../testing";
import { VERSION } from "../api";
import extract from "./nodes.json" with { type: "json" };

const { User, Page } = extract.nodes;

/** Additions to Meta's description of April 2026, from the linked pages of its documentation. */
const since: Nodes = {
  ...extract,
  nodes: {
    ...(extract as Nodes).nodes,
    // …/graph-api/reference/page/photos also accepts a file part.
    Documented: {
      fields: [],
      edges: {
        // `place` is the ID of a Page: …/graph-api/reference/page/feed and …/page/photos.
        "POST:feed": { ...Page.edges["POST:feed"], place: "string" },
        "POST:photos": { ...Page.edges["POST:photos"], place: "string" },
        "POST:videos": { ...Page.edges["POST:videos"], video_file_chunk: "file" },
      },
    },
    // …/facebook-login/guides/access-tokens#pagetokens
    Granted: { fields: [...Page.fields, "tasks"], edges: { "GET:accounts": User.edges["GET:accounts"] } },
    // …/documentation/pages-api/search-pages
    Searched: { fields: ["id", "name", "location", "link"], edges: { "GET:pages": { q: "string!" } } },
    // …/video-api/guides/reels-publishing
    Video: { fields: [...extract.nodes.AdVideo.fields, "post_id", "published"], edges: {} },
    // Edges that are read as fields (…/graph-api/reference/page-post, …/reference/user).
    Post: { fields: [...extract.nodes.PagePost.fields, "attachments"], edges: {} },
    Person: { fields: [...User.fields, "picture"], edges: {} },
    // …/graph-api/reference/comment
    Comment: { fields: ["id", "message", "created_time", "from", "permalink_url", "parent", "object"], edges: {} },
    // …/page-stories-api
    Story: { fields: [...extract.nodes.Stories.fields], edges: {} },
  },
};

const page = (method: string, edge: string) => ({
  [`${method} /${VERSION}/{id}/${edge}`]: { edge: `Page ${method}:${edge}` },
});

const CREDENTIALS = ["client_id", "client_secret"];
const tokenCalls: { [call: string]: TokenCall } = {
  [`GET /${VERSION}/oauth/access_token`]: {
    source: "…/facebook-login/guides/advanced/manual-flow and …/facebook-login/guides/access-tokens/get-long-lived",
    grants: [
      { grantType: "", required: [...CREDENTIALS, "redirect_uri", "code"] },
      { grantType: "fb_exchange_token", required: [...CREDENTIALS, "fb_exchange_token"] },
    ],
  },
};

const BUTTONS =
  "BOOK_TRAVEL BUY_NOW CALL_NOW DOWNLOAD GET_DIRECTIONS GET_QUOTE INSTALL_APP INSTALL_MOBILE_APP LEARN_MORE LIKE_PAGE LISTEN_MUSIC MESSAGE_PAGE NO_BUTTON OPEN_LINK PLAY_GAME SHOP_NOW SIGN_UP SUBSCRIBE USE_APP USE_MOBILE_APP WATCH_MORE WATCH_VIDEO";
/** The JSON of parameters that the description types only as objects: …/graph-api/reference/page/feed. */
const values: { [parameter: string]: NetworkSchema } = {
  attached_media: { type: "object", properties: { media_fbid: { type: "string" } }, required: ["media_fbid"] },
  call_to_action: {
    type: "object",
    properties: {
      type: { enum: BUTTONS.split(" ") },
      value: { type: "object", properties: { link: { type: "string", format: "uri" } }, required: ["link"] },
    },
    required: ["type", "value"],
  },
};

const api = graphApi(
  since,
  {
    [`GET /${VERSION}/me/accounts`]: { edge: "Granted GET:accounts", fields: ["Granted"] },
    [`GET /${VERSION}/pages/search`]: { edge: "Searched GET:pages", fields: ["Searched"] },
    [`GET /${VERSION}/me/businesses`]: { edge: "User GET:businesses", fields: ["Business"] },
    [`GET /${VERSION}/{id}/owned_pages`]: { edge: "Business GET:owned_pages", fields: ["Page"] },
    [`GET /${VERSION}/{id}/client_pages`]: { edge: "Business GET:client_pages", fields: ["Page"] },
    [`GET /${VERSION}/me/permissions`]: { edge: "User GET:permissions" },
    [`DELETE /${VERSION}/me/permissions`]: { edge: "User DELETE:permissions" },
    [`GET /${VERSION}/me`]: { fields: ["Person"] },
    [`POST /${VERSION}/{id}/feed`]: { edge: "Documented POST:feed" },
    [`POST /${VERSION}/{id}/photos`]: { edge: "Documented POST:photos" },
    [`POST /${VERSION}/{id}/videos`]: { edge: "Documented POST:videos" },
    ...page("POST", "video_reels"),
    ...page("POST", "photo_stories"),
    ...page("POST", "video_stories"),
    [`GET /${VERSION}/{id}/published_posts`]: { edge: "Page GET:published_posts", fields: ["Post"] },
    [`GET /${VERSION}/{id}/stories`]: { edge: "Page GET:stories", fields: ["Story"] },
    // Videos have the same edge and parameters (…/graph-api/reference/object/comments).
    [`POST /${VERSION}/{id}/comments`]: { edge: "PagePost POST:comments" },
    [`GET /${VERSION}/{id}/comments`]: { edge: "PagePost GET:comments", fields: ["Comment"] },
    [`POST /${VERSION}/{id}/thumbnails`]: { edge: "AdVideo POST:thumbnails" },
    [`GET /${VERSION}/{id}`]: { fields: ["Page", "Video", "Post", "Comment"] },
    "POST /video-upload/{version}/{id}": {},
  },
  values,
);

/** Validates requests against Meta's description of Pages in the Graph API. */
export const described = withTokenCalls(api, tokenCalls);
