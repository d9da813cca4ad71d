import { randomToken } from "../core/ids";
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
import { createBoard, deleteBoard, listBoards, listSections, userAccount } from "./boards";
import { authorize, revoke, token } from "./oauth";
import { createPin, listPins, listSectionPins } from "./pins";
import {
  bearer,
  internalError,
  invalidGrantError,
  notActivated,
  notFound,
  onError,
  rateHeaders,
  tooManyRequests,
} from "./request";
import { openState, type PinterestState } from "./state";
import { mediaStatus, registerMedia, storeFile, uploadOf } from "./uploads";

/** Pinterest's API v5 (OpenAPI 5.23.0); the consent page and the media store share the prefix. */
export const pinterest: NetworkDefinition = {
  id: "pinterest",
  name: "Pinterest",
  open(world) {
    const state = openState(world);
    return {
      routes: routesOf(state),
      faults: faultAnswers(state),
      notFound,
      onError,
      addHeaders: (_, answer) => answer.headers.set("x-pinterest-rid", randomToken(8)),
      accountOf: async (call) => (await uploadIn(state, call))?.account,
      reset() {
        state.reset();
        state.windows.clear();
        state.switches.reset();
      },
      control: { ...switchesControl(state.switches), "delete-board": (body) => deleteBoard(state, body) },
    };
  },
};

function routesOf(state: PinterestState): Route[] {
  const route = routesOn(state);
  return [
    route("GET", "/oauth/", "authorize", authorize),
    route("POST", "/oauth/", "authorize", authorize),
    route("POST", "/v5/oauth/token", tokenOperation, token),
    route("POST", "/v5/oauth/token/revoke", "revoke", revoke),
    route("GET", "/v5/user_account", "profile", userAccount),
    route("GET", "/v5/boards", "destinations", listBoards),
    route("POST", "/v5/boards", "other", createBoard),
    route("GET", "/v5/boards/:board/sections", "destinations", listSections),
    route("GET", "/v5/boards/:board/pins", "status", listPins),
    route("GET", "/v5/boards/:board/sections/:section/pins", "status", listSectionPins),
    route("POST", "/v5/media", "prepare", registerMedia),
    route("POST", "/media-upload/", "upload", storeFile),
    route("GET", "/v5/media/:media", "status", mediaStatus),
    route("POST", "/v5/pins", "publish", createPin),
  ];
}

/** Pinterest accepts duplicates. */
function faultAnswers(state: PinterestState): FaultAnswers {
  return {
    internalError,
    rateLimited(call, afterSeconds) {
      const resetAt = state.world.clock.now() + afterSeconds * 1000;
      rateHeaders(state, call, "org_write", 60, { limit: 100, remaining: 0, resetAt });
      return onError(call, tooManyRequests());
    },
    invalidGrant: (call) => onError(call, invalidGrantError()),
    operator: (call) => onError(call, notActivated()),
    async revokeToken(call: Call) {
      const grant = await grantOf(state, call);
      if (grant) state.grants.revokeTokens(grant);
      return undefined;
    },
  };
}

/** The registered media that a file upload names in its form. */
async function uploadIn(state: PinterestState, call: Call) {
  return call.req.path.endsWith("/media-upload/") ? uploadOf(state, (await call.req.formData()).get("key")) : undefined;
}

/** The grant of a call: of its token or, for a file upload without a token, of the registered media. */
async function grantOf(state: PinterestState, call: Call): Promise<string | undefined> {
  const upload = await uploadIn(state, call);
  if (upload) return upload.grant;
  const presented = bearer(call) || ((await tokenForm(call)).get("refresh_token") ?? "");
  return state.grants.findToken(presented, "access", "refresh")?.grant;
}
