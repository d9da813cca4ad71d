import * as z from "zod";
import {
  type Call,
  type FaultAnswers,
  type NetworkDefinition,
  type Route,
  routesOn,
  tokenForm,
  tokenOperation,
} from "../core/network";
import { switchesControl } from "../core/switches";
import {
  imageStatus,
  initializeDocument,
  initializeImage,
  putAsset,
  putDocument,
  putImage,
  registerUpload,
} from "./assets";
import { authorize, introspect, token, userinfo } from "./oauth";
import { createComment, createPost, createUgcPost, readComments, readPosts } from "./posts";
import {
  bearer,
  duplicateOf,
  forbidden,
  internalError,
  invalidGrantError,
  listRoles,
  lookUpPages,
  notFound,
  onError,
  readAdministeredPages,
  tooManyRequests,
} from "./request";
import { type LinkedInState, openState, personUrn } from "./state";
import { putPart, videoAction, videoStatus } from "./videos";

/** LinkedIn's versioned API for applications of members; www.linkedin.com and the upload host share the prefix. */
export const linkedin: NetworkDefinition = {
  id: "linkedin",
  name: "LinkedIn",
  open(world) {
    const state = openState(world);
    return {
      routes: routesOf(state),
      faults: faultAnswers(state),
      notFound,
      onError,
      accountOf: (call) => state.assets.get(call.req.param("urn") ?? "")?.account,
      reset() {
        state.recent.clear();
        state.pages.clear();
        state.windows.clear();
        state.switches.reset();
      },
      control: { ...switchesControl(state.switches), page: setPage(state) },
    };
  },
};

const ChangedPage = z.strictObject({
  account: z.string().regex(/^[a-z0-9_]{1,15}$/),
  id: z.string().regex(/^\d+$/),
  name: z.string().min(1),
  role: z.string().default("ADMINISTRATOR"),
});

/** `POST /_control/linkedin/page`: gives a member a role on a company page. */
function setPage(state: LinkedInState) {
  return (body: unknown) => {
    const { id, ...page } = ChangedPage.parse(body);
    state.pages.put(`${page.account} ${id}`, { urn: `urn:li:organization:${id}`, ...page });
    return new Response(null, { status: 204 });
  };
}

function routesOf(state: LinkedInState): Route[] {
  const route = routesOn(state);
  return [
    route("GET", "/oauth/v2/authorization", "authorize", authorize),
    route("POST", "/oauth/v2/authorization", "authorize", authorize),
    route("POST", "/oauth/v2/accessToken", tokenOperation, token),
    route("POST", "/oauth/v2/introspectToken", "other", introspect),
    route("GET", "/v2/userinfo", "profile", userinfo),
    route("GET", "/rest/organizationAcls", "destinations", listRoles),
    route("GET", "/rest/organizations", "destinations", readAdministeredPages),
    route("GET", "/rest/organizationsLookup", "destinations", lookUpPages),
    route("POST", "/rest/images", "prepare", initializeImage),
    route("GET", "/rest/images/:urn", "status", imageStatus),
    route("PUT", "/dms-uploads/:urn/image", "upload", putImage),
    route("POST", "/rest/documents", "prepare", initializeDocument),
    route("GET", "/rest/documents/:urn", "status", imageStatus),
    route("PUT", "/dms-uploads/:urn/document", "upload", putDocument),
    route("POST", "/rest/videos", "prepare", videoAction),
    route("GET", "/rest/videos/:urn", "status", videoStatus),
    route("POST", "/v2/assets", "prepare", registerUpload),
    route("PUT", "/dms-uploads/:urn/asset", "upload", putAsset),
    route("POST", "/dms-uploads/:urn/asset", "upload", putAsset),
    route("POST", "/v2/ugcPosts", "publish", createUgcPost),
    route("PUT", "/dms-uploads/:urn/:part", "upload", putPart),
    route("POST", "/rest/posts", "publish", createPost),
    route("GET", "/rest/posts", "other", readPosts),
    route("POST", "/rest/socialActions/:urn/comments", "publish", createComment),
    route("GET", "/rest/socialActions/:urn/comments", "other", readComments),
  ];
}

function faultAnswers(state: LinkedInState): FaultAnswers {
  return {
    internalError,
    /** LinkedIn does not state a wait time. */
    rateLimited: (call) => onError(call, tooManyRequests()),
    invalidGrant: (call) => onError(call, invalidGrantError()),
    /** The application lacks the product that the call belongs to. */
    operator: (call) => onError(call, forbidden("Not enough permissions to access: partnerApiPosts.CREATE.20260900")),
    duplicate(call) {
      const account = state.grants.findToken(bearer(call), "access")?.account ?? "";
      const last = state.recent.values().findLast(({ author }) => author === personUrn(account));
      return onError(call, duplicateOf(last?.urn ?? "urn:li:share:7429862475279511552"));
    },
    async revokeToken(call: Call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.revokeTokens(grant);
      return undefined;
    },
  };
}

/** The grant of a call: of its token or, for a part upload without a token, of the asset. */
async function grantOf(state: LinkedInState, call: Call): Promise<string | undefined> {
  const asset = state.assets.get(call.req.param("urn") ?? "");
  if (asset && call.req.method === "PUT") return asset.grant;
  const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
  return state.grants.findToken(presented, "access", "refresh")?.grant;
}
