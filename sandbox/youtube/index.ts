import type { NetworkDefinition } from "../core/network";
import { tokenOperation } from "../core/token-form";
import { authorize } from "./authorize";
import { listChannels } from "./channels";
import { controls } from "./control";
import { onError, YouTubeRefusal } from "./errors";
import { faultAnswers } from "./faults";
import { openState } from "./state";
import { setThumbnail } from "./thumbnail";
import { revoke, token } from "./token";
import { openUpload, putBytes, uploadOperation } from "./upload";
import { listPlaylistItems, listVideos } from "./video";

const UPLOADS = "/upload/youtube/v3";

/** YouTube Data API v3 with Google's OAuth 2.0: accounts, oauth2 and www.googleapis.com under one prefix. */
export const youtube: NetworkDefinition = {
  id: "youtube",
  name: "YouTube",
  open(world) {
    const state = openState(world);
    return {
      routes: [
        { method: "GET", path: "/o/oauth2/v2/auth", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/o/oauth2/v2/auth", operation: "authorize", handle: (call) => authorize(state, call) },
        { method: "POST", path: "/token", operation: tokenOperation, handle: (call) => token(state, call) },
        { method: "POST", path: "/revoke", operation: "revoke", handle: (call) => revoke(state, call) },
        {
          method: "GET",
          path: "/youtube/v3/channels",
          operation: "profile",
          handle: (call) => listChannels(state, call),
        },
        { method: "GET", path: "/youtube/v3/videos", operation: "status", handle: (call) => listVideos(state, call) },
        {
          method: "GET",
          path: "/youtube/v3/playlistItems",
          operation: "status",
          handle: (call) => listPlaylistItems(state, call),
        },
        { method: "POST", path: `${UPLOADS}/videos`, operation: "prepare", handle: (call) => openUpload(state, call) },
        {
          method: "PUT",
          path: `${UPLOADS}/videos`,
          operation: uploadOperation,
          handle: (call) => putBytes(state, call),
        },
        {
          method: "POST",
          path: `${UPLOADS}/thumbnails/set`,
          operation: "other",
          handle: (call) => setThumbnail(state, call),
        },
      ],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new YouTubeRefusal(404, "notFound", "Not Found")),
      onError,
      reset: state.forget,
      control: controls(state),
    };
  },
};
