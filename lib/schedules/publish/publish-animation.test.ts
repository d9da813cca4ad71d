import { expect, test } from "vitest";
import { gifOf } from "../../media/testing/pictures";
import { allNetworks } from "../../networks";
import { platforms } from "../../platforms";
import {
  as,
  connectAccount,
  firstChat,
  newOwner,
  postsOn,
  readResponse,
  schedule,
  settled,
  uploaded,
  withWorker,
} from "../../testing";
import { requiredSettingsOf } from "../../testing/recipe";
import { withApiServed } from "../../testing/served";

withApiServed(); // some networks fetch files themselves, from the product's own address
withWorker();

const HOUR_MS = 3_600_000;
/** The networks that show animated GIFs as they are. */
const AS_IT_IS = ["X_TWITTER", "LINKEDIN", "TELEGRAM"];

type Shown = { publications: { posts: { requests: object[]; problem?: string }[] }[] };

test.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "%s shows an animated GIF: as it is if the network animates GIFs, otherwise as a video",
  { timeout: 60_000 },
  async (_, network) => {
    const owner = await newOwner();
    const client = as(owner);
    const { id, person } = await connectAccount(owner, network.platform);
    const gif = await gifOf(640, [["#c00000", 200], ["#00a000", 300], ["#0000c0", 500]]); // biome-ignore format: easier to compare in one line
    const path = await uploaded(client, gif, "bells.gif");
    const chatId = await firstChat(client, id, network);
    const on = {
      socialMediaAccountId: id,
      platformSettings: { type: network.settingsTypes[0], ...requiredSettingsOf(network) },
      posts: [{ content: "Ding", attachmentPaths: [path], chatId }],
    };
    const isFilm = !AS_IT_IS.includes(network.platform);
    const planned = await schedule(client, [on], new Date(Date.now() + HOUR_MS));
    const [, shown] = await readResponse(client.get(`/v1/posts/${planned.id}/preview`));
    const [post] = (shown as Shown).publications[0]?.posts ?? [];
    expect(post?.problem).toBeUndefined();
    expect(JSON.stringify(post?.requests)).toContain(isFilm ? "bells.mp4" : "bells.gif");

    const seen = await settled(client, (await schedule(client, [on])).id);
    expect(seen.overallStatus, JSON.stringify(seen)).toBe("COMPLETED");
    const [live, ...others] = await postsOn(platforms[network.platform], person);
    expect(others).toEqual([]);
    expect(live?.media.map(({ type }) => type)).toEqual([isFilm ? "video/mp4" : "image/gif"]);
  },
);
