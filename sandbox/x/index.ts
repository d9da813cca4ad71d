import type { NetworkDefinition } from "../core/network";
import { switchesControl } from "../core/switches";
import { tokenOperation } from "../core/token-form";
import { authorize } from "./authorize";
import { createPost } from "./create-post";
import { deletePost } from "./delete-post";
import { notFound, onError } from "./errors";
import { faultAnswers } from "./faults";
import { me } from "./me";
import { setMetadata } from "./metadata";
import { openState } from "./state";
import { timeline } from "./timeline";
import { revoke, token } from "./token";
import { append, finalize, initialize, uploadImage, uploadStatus } from "./upload";

/** X as API v2 speaks (OpenAPI 2.167), the consent page of x.com under the same prefix. */
export const x: NetworkDefinition = {
  id: "x",
  name: "X",
  open(world) {
    const state = openState(world);
    return {
      routes: [
        {
          method: "GET",
          path: "/i/oauth2/authorize",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        {
          method: "POST",
          path: "/i/oauth2/authorize",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        { method: "POST", path: "/2/oauth2/token", operation: tokenOperation, handle: (call) => token(state, call) },
        { method: "POST", path: "/2/oauth2/revoke", operation: "revoke", handle: (call) => revoke(state, call) },
        { method: "GET", path: "/2/users/me", operation: "profile", handle: (call) => me(state, call) },
        { method: "POST", path: "/2/media/upload", operation: "upload", handle: (call) => uploadImage(state, call) },
        {
          method: "POST",
          path: "/2/media/upload/initialize",
          operation: "prepare",
          handle: (call) => initialize(state, call),
        },
        {
          method: "POST",
          path: "/2/media/upload/:id/append",
          operation: "upload",
          handle: (call) => append(state, call),
        },
        {
          method: "POST",
          path: "/2/media/upload/:id/finalize",
          operation: "prepare",
          handle: (call) => finalize(state, call),
        },
        { method: "GET", path: "/2/media/upload", operation: "status", handle: (call) => uploadStatus(state, call) },
        { method: "POST", path: "/2/media/metadata", operation: "prepare", handle: (call) => setMetadata(state, call) },
        { method: "POST", path: "/2/tweets", operation: "publish", handle: (call) => createPost(state, call) },
        { method: "DELETE", path: "/2/tweets/:id", operation: "delete", handle: (call) => deletePost(state, call) },
        { method: "GET", path: "/2/users/:id/tweets", operation: "status", handle: (call) => timeline(state, call) },
      ],
      faults: faultAnswers(state),
      notFound,
      onError,
      reset() {
        state.dropPosts();
        state.windows.clear();
        state.switches.settle();
      },
      control: switchesControl(state.switches),
    };
  },
};
