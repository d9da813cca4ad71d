import { describe, expect, test } from "vitest";
import { networkOf } from "../networks";
import { as, clip, connect, firstChat, inAnHour, newOwner, picture, schedule, told } from "../testing";

type Preview = { publications: { posts: { requests: { url: string; body?: string }[]; problem?: string }[] }[] };
type File = "picture" | "clip";

const LINK = "https://example.com/bells";

describe("the preview of the requests shows the settings that a network gets", () => {
  test.each<[platform: Parameters<typeof connect>[1], settings: object, files: File[], shown: string[]]>([
    [
      "INSTAGRAM",
      { type: "INSTAGRAM", collaborators: ["anna"], userTags: ["ben"], locationId: "7640348500" },
      ["picture"],
      ['collaborators=["anna"]', 'user_tags=[{"username":"ben","x":0.5,"y":0.5}]', "location_id=7640348500"],
    ],
    [
      "INSTAGRAM",
      { type: "INSTAGRAM", publicationType: "REELS", videoCoverTimestampMs: 1500 },
      ["clip"],
      ["thumb_offset=1500"],
    ],
    [
      "FACEBOOK",
      { type: "FACEBOOK", placeId: "110506962309835", link: LINK, callToAction: "SIGN_UP" },
      [],
      ["place=110506962309835", `link=${LINK}`, `call_to_action={"type":"SIGN_UP","value":{"link":"${LINK}"}}`],
    ],
    ["PINTEREST", { type: "PINTEREST", dominantColor: "#6E7874" }, ["picture"], ['"dominant_color":"#6E7874"']],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", sendToDrafts: true },
      ["clip"],
      ["/v2/post/publish/inbox/video/init/"],
    ],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", sendToDrafts: true },
      ["picture"],
      ['"post_mode":"MEDIA_UPLOAD"'],
    ],
  ])("%s %j", async (platform, platformSettings, files, shown) => {
    const owner = await newOwner();
    const client = as(owner);
    const { id } = await connect(owner, platform);
    const attachmentPaths = await Promise.all(files.map((file) => (file === "clip" ? clip(owner) : picture(owner))));
    const chatId = await firstChat(client, id, networkOf(platform));
    const post = { content: "Ding", attachmentPaths, ...(chatId ? { chatId } : {}) };
    const made = await schedule(client, [{ socialMediaAccountId: id, platformSettings, posts: [post] }], inAnHour());
    const [status, preview] = (await told(client.get(`/v1/posts/${made.id}/preview`))) as [number, Preview];
    expect(status).toBe(200);
    const [seen] = preview.publications[0]?.posts ?? [];
    expect(seen?.problem).toBeUndefined();
    const requests = seen?.requests.map(({ url, body = "" }) => decodeURIComponent(`${url} ${body}`)).join("\n");
    for (const part of shown) expect(requests).toContain(part);
  });
});
