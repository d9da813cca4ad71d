import { bearer, MP4, type Shape } from "./shape";

export const bluesky: Shape[] = (["Postiz", "post-for-me"] as const).map(
  (by): Shape => ({
    network: "bluesky",
    by,
    what: "video",
    calls: [
      {
        call: "GET {server}/xrpc/com.atproto.server.getServiceAuth",
        query: { aud: "{did}", lxm: "com.atproto.repo.uploadBlob", exp: "{soon}" },
        headers: bearer,
        keep: { service: "token" },
      },
      {
        call: "POST {server}/xrpc/app.bsky.video.uploadVideo",
        query: { did: "{user}", name: "film.mp4" },
        headers: { authorization: "Bearer {service}", "content-type": MP4 },
        bytes: "video",
        keep: { job: "jobId" },
      },
      {
        call: "GET {server}/xrpc/app.bsky.video.getJobStatus",
        query: { jobId: "{job}" },
        until: ["jobStatus.state", "JOB_STATE_COMPLETED"],
        keep: { blob: "jobStatus.blob" },
      },
      {
        call: "POST {server}/xrpc/com.atproto.repo.createRecord",
        headers: bearer,
        json: {
          collection: "app.bsky.feed.post",
          repo: "{user}",
          record: {
            $type: "app.bsky.feed.post",
            text: "film",
            createdAt: "2026-11-20T12:00:00.000Z",
            embed: { $type: "app.bsky.embed.video", video: "{blob}" },
          },
        },
      },
    ],
    shows: { text: "film", media: [MP4] },
  }),
);
