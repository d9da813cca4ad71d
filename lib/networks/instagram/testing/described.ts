import { graphApi, type NetworkSchema, type Nodes, type TokenCall, withTokenCalls } from "../../testing";
import { VERSION } from "../api";
import extract from "./nodes.json" with { type: "json" };

/** Additions to Meta's description of April 2026: …/instagram-graph-api/reference/ig-user/media, …/ig-container, …/ig-comment. */
const since: Nodes = {
  ...extract,
  nodes: {
    ...(extract as Nodes).nodes,
    Comment: { fields: ["id", "text", "timestamp", "username", "from", "hidden", "like_count", "media"], edges: {} },
    Container: { fields: ["id", "status", "status_code"], edges: {} },
    // Of graph.facebook.com: …/documentation/pages-api/search-pages.
    Page: { fields: ["id", "name", "location", "link"], edges: { "GET:search": { q: "string!" } } },
    User: {
      fields: [],
      edges: { "POST:media": { ...extract.nodes.IGUserForIGOnlyAPI.edges["POST:media"], is_ai_generated: "bool" } },
    },
  },
};

const tokenCalls: { [call: string]: TokenCall } = {
  "POST /oauth/access_token": {
    source: "…/instagram-platform/instagram-api-with-instagram-login/business-login, whose example sends parts",
    isMultipart: true,
    grants: [{ grantType: "authorization_code", required: ["client_id", "client_secret", "code", "redirect_uri"] }],
  },
};

/** The JSON of parameters that the description types only as maps or lists: …/instagram-graph-api/reference/ig-user/media. */
const values: { [parameter: string]: NetworkSchema } = {
  collaborators: { type: "array", items: { type: "string" }, maxItems: 3 },
  user_tags: {
    type: "array",
    items: {
      type: "object",
      properties: { username: { type: "string" }, x: { type: "number" }, y: { type: "number" } },
      required: ["username"],
    },
  },
};

const api = graphApi(
  since,
  {
    "GET /access_token": { edge: "IGAccessTokenForIGOnlyAPI GET:-" },
    "GET /refresh_access_token": { edge: "IGRefreshAccessTokenForIGOnlyAPI GET:-" },
    [`GET /${VERSION}/me`]: { fields: ["IGUserForIGOnlyAPI"] },
    [`GET /${VERSION}/pages/search`]: { edge: "Page GET:search", fields: ["Page"] },
    [`POST /${VERSION}/{id}/media`]: { edge: "User POST:media" },
    // The description names the edge `mediapublish`; its real path has an underscore.
    [`POST /${VERSION}/{id}/media_publish`]: { edge: "IGUserForIGOnlyAPI POST:mediapublish" },
    [`GET /${VERSION}/{id}/media`]: { edge: "IGUserForIGOnlyAPI GET:media", fields: ["IGMediaForIGOnlyAPI"] },
    [`POST /${VERSION}/{id}/comments`]: { edge: "IGMediaForIGOnlyAPI POST:comments" },
    [`GET /${VERSION}/{id}/comments`]: { edge: "IGMediaForIGOnlyAPI GET:comments", fields: ["Comment"] },
    [`GET /${VERSION}/{id}/stories`]: { edge: "IGUserForIGOnlyAPI GET:stories", fields: ["IGMediaForIGOnlyAPI"] },
    [`GET /${VERSION}/{id}/content_publishing_limit`]: {
      edge: "IGUserForIGOnlyAPI GET:content_publishing_limit",
      fields: ["ContentPublishingLimitResponse"],
    },
    [`GET /${VERSION}/{id}`]: { fields: ["Container", "IGMediaForIGOnlyAPI"] },
  },
  values,
);

/** Validates requests against Meta's description of the Instagram API with Instagram Login. */
export const described = withTokenCalls(api, tokenCalls);
