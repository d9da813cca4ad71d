import type { NetworkDefinition, Route } from "../core/network";
import { tokenOperation } from "../core/token-form";
import { authorize } from "./authorize";
import { controls } from "./control";
import { creatorInfo } from "./creator";
import { onError, TikTokRefusal } from "./errors";
import { faultAnswers } from "./faults";
import { initPhotos, initVideo } from "./init";
import { userInfo } from "./profile";
import { openState } from "./state";
import { fetchStatus, listVideos, queryVideos } from "./status";
import { revoke, token } from "./token";
import { putChunk, uploadOperation } from "./upload";

/** TikTok: Login Kit and Content Posting API v2, the consent page and the upload host under one prefix. */
export const tiktok: NetworkDefinition = {
  id: "tiktok",
  name: "TikTok",
  open(world) {
    const state = openState(world);
    const post = (path: string, operation: Route["operation"], handle: Route["handle"]): Route => ({
      method: "POST",
      path,
      operation,
      handle,
    });
    return {
      routes: [
        {
          method: "GET",
          path: "/v2/auth/authorize/",
          operation: "authorize",
          handle: (call) => authorize(state, call),
        },
        post("/v2/auth/authorize/", "authorize", (call) => authorize(state, call)),
        post("/v2/oauth/token/", tokenOperation, (call) => token(state, call)),
        post("/v2/oauth/revoke/", "revoke", (call) => revoke(state, call)),
        { method: "GET", path: "/v2/user/info/", operation: "profile", handle: (call) => userInfo(state, call) },
        post("/v2/post/publish/creator_info/query/", "profile", (call) => creatorInfo(state, call)),
        post("/v2/post/publish/video/init/", "prepare", (call) => initVideo(state, call)),
        post("/v2/post/publish/content/init/", "publish", (call) => initPhotos(state, call)),
        post("/v2/post/publish/status/fetch/", "status", (call) => fetchStatus(state, call)),
        post("/v2/video/list/", "status", (call) => listVideos(state, call)),
        post("/v2/video/query/", "status", (call) => queryVideos(state, call)),
        { method: "PUT", path: "/video/", operation: uploadOperation, handle: (call) => putChunk(state, call) },
      ],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new TikTokRefusal(404, "invalid_path", "Unsupported path (Janus)")),
      onError,
      reset: state.forget,
      control: controls(state),
    };
  },
};
