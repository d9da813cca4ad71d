import type { NetworkDefinition, Route } from "../core/network";
import { authorize } from "./authorize";
import { notFound, onError } from "./errors";
import { faultAnswers } from "./faults";
import { imageStatus, initializeImage, putImage } from "./images";
import { createPost, readPosts } from "./posts";
import { type LinkedInState, openState } from "./state";
import { token, tokenOperation } from "./token";
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
      control: {
        switches(body) {
          const problem = state.switches.set(body);
          return problem ? Response.json({ error: problem }, { status: 400 }) : new Response(null, { status: 204 });
        },
      },
    };
  },
};

type Handler = (state: LinkedInState, call: Parameters<Route["handle"]>[0]) => ReturnType<Route["handle"]>;

function routesOf(state: LinkedInState): Route[] {
  const route = (method: Route["method"], path: string, operation: Route["operation"], handle: Handler): Route => ({
    method,
    path,
    operation,
    handle: (call) => handle(state, call),
  });
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
