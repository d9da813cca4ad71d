import { avatarPath } from "../core/avatars";
import type { Call } from "../core/network";
import { partsOf, pickParts } from "./parts";
import { sessionOf } from "./session";
import { channelId, uploadsPlaylist, type YouTubeState } from "./state";

/** `GET /youtube/v3/channels`, of which only `mine=true` is simulated. */
export function listChannels(state: YouTubeState, call: Call): Response {
  const { account } = sessionOf(state, call, ["youtube.readonly"], 1);
  const parts = partsOf(call, ["id", "snippet", "status", "contentDetails", "statistics"]);
  const pageInfo = { totalResults: 1, resultsPerPage: 5 };
  const channel = state.channelOf(account);
  const isMine = call.req.query("mine") === "true";
  if (!channel.exists || !isMine)
    return call.json({ kind: "youtube#channelListResponse", etag: "e", pageInfo: { ...pageInfo, totalResults: 0 } });
  const person = state.world.people.meet("youtube", account);
  const avatar = new URL(avatarPath("youtube", account, ""), call.req.url).href;
  const thumbnails = { default: { url: avatar }, medium: { url: avatar }, high: { url: avatar } };
  const item = {
    kind: "youtube#channel",
    etag: "e",
    id: channelId(account),
    snippet: { title: person.displayName, description: "", customUrl: `@${account}`, thumbnails },
    status: {
      privacyStatus: "public",
      isLinked: true,
      longUploadsStatus: channel.isVerified ? "allowed" : "eligible",
      madeForKids: false,
    },
    contentDetails: { relatedPlaylists: { likes: "", uploads: uploadsPlaylist(account) } },
    statistics: { videoCount: String(state.videosOf(account).length) },
  };
  return call.json({ kind: "youtube#channelListResponse", etag: "e", pageInfo, items: [pickParts(item, parts)] });
}
