import type { NetworkDefinition, Route } from "../core/network";
import { routesOn } from "../core/routes";
import { switchesControl } from "../core/switches";
import { tokenOperation } from "../core/token-form";
import { authorize } from "./authorize";
import { notFound, onError } from "./errors";
import { faultAnswers } from "./faults";
import { imageStatus, initializeImage, putImage } from "./images";
import { createPost, readPosts } from "./posts";
import { type LinkedInState, openState } from "./state";
import { token } from "./token";
import { userinfo } from "./userinfo";
import { putPart, videoAction, videoStatus } from "./videos";

/** LinkedIn as its versioned API speaks to members' applications, with www.linkedin.com's pages and uploads under one prefix. */
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
      reset() {
        state.recent.clear();
        state.windows.clear();
        state.switches.settle();
      },
      control: switchesControl(state.switches),
    };
  },
};

function routesOf(state: LinkedInState): Route[] {
  const route = routesOn(state);
  return [
    route("GET", "/oauth/v2/authorization", "authorize", authorize),
    route("POST", "/oauth/v2/authorization", "authorize", authorize),
    route("POST", "/oauth/v2/accessToken", tokenOperation, token),
    route("GET", "/v2/userinfo", "profile", userinfo),
    route("POST", "/rest/images", "prepare", initializeImage),
    route("GET", "/rest/images/:urn", "status", imageStatus),
    route("PUT", "/dms-uploads/:urn/image", "upload", putImage),
    route("POST", "/rest/videos", "prepare", videoAction),
    route("GET", "/rest/videos/:urn", "status", videoStatus),
    route("PUT", "/dms-uploads/:urn/:part", "upload", putPart),
    route("POST", "/rest/posts", "publish", createPost),
    route("GET", "/rest/posts", "other", readPosts),
  ];
}
