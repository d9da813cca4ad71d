import { randomToken } from "../core/ids";
import type { NetworkDefinition, Route } from "../core/network";
import { routesOn } from "../core/routes";
import { switchesControl } from "../core/switches";
import { tokenOperation } from "../core/token-form";
import { authorize } from "./authorize";
import { createBoard, deleteBoard, listBoards, listSections } from "./boards";
import { notFound, onError } from "./errors";
import { faultAnswers } from "./faults";
import { createPin, listPins, listSectionPins } from "./pins";
import { openState, type PinterestState } from "./state";
import { revoke, token } from "./token";
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
