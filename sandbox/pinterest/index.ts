import { randomToken } from "../core/ids";
import type { NetworkDefinition, Route } from "../core/network";
import { authorize } from "./authorize";
import { createBoard, deleteBoard, listBoards, listSections } from "./boards";
import { notFound, onError } from "./errors";
import { faultAnswers } from "./faults";
import { createPin, listPins, listSectionPins } from "./pins";
import { openState, type PinterestState } from "./state";
import { revoke, token, tokenOperation } from "./token";
import { mediaStatus, registerMedia, storeFile } from "./uploads";
import { userAccount } from "./user";

/** Pinterest as API v5 speaks (OpenAPI 5.23.0), with the consent page and the media store under the same prefix. */
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
      decorate: (_, answer) => answer.headers.set("x-pinterest-rid", randomToken(8)),
      reset() {
        state.forget();
        state.windows.clear();
        state.switches.settle();
      },
      control: {
        switches(body) {
          const problem = state.switches.set(body);
          return problem ? Response.json({ error: problem }, { status: 400 }) : new Response(null, { status: 204 });
        },
        "delete-board": (body) => deleteBoard(state, body),
      },
    };
  },
};

type Handler = (state: PinterestState, call: Parameters<Route["handle"]>[0]) => ReturnType<Route["handle"]>;

function routesOf(state: PinterestState): Route[] {
  const route = (method: Route["method"], path: string, operation: Route["operation"], handle: Handler): Route => ({
    method,
    path,
    operation,
    handle: (call) => handle(state, call),
  });
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
