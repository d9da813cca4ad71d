import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platforms } from "../platforms";
import { networkOf } from ".";
import { type FormatName, networkFormat } from "./network";
import { searchPost } from "./search-run";
import { type AtSandbox, atSandbox, type SandboxPerson } from "./testing";

const HOUR_MS = 3_600_000;

// X counts excluded reposts in `max_results`, and Meta counts posts in `limit` that it leaves out for their privacy.
describe.each([
  ["X_TWITTER", "text", "repostsPerPage"],
  ["FACEBOOK", "text", "hiddenPerPage"],
  ["INSTAGRAM", "image", "hiddenPerPage"],
  ["THREADS", "text", "hiddenPerPage"],
] as const)("after a restore, a search at %s", (platform, format, leftOut) => {
  const network = networkOf(platform);
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(network);
  });
  afterAll(() => at.close());
  const set = (switches: object) => at.control(`${platforms[platform]}/switches`, switches);

  async function search(name: FormatName, content: string, { session, chatId }: SandboxPerson) {
    const settings = network.settings.parse({});
    const found = networkFormat(network, settings, name);
    if (!found) throw new Error(`${network.name} has no ${name}`);
    const sent = { content, media: name === "image" ? [await at.image()] : [], settings, chatId };
    let seen: unknown;
    await searchPost(network, (run) => found.publish(sent, run), {
      session,
      stepDone: () => undefined,
      async decide(_, list) {
        const { listed, isWhole } = await list(new Date(Date.now() - HOUR_MS));
        seen = { count: listed.length, isWhole };
        return undefined;
      },
    });
    return seen;
  }

  test("takes a list that is not full for complete only if the network has no more", async () => {
    const person = await at.person();
    await at.publish(format, "Sought", person);
    await at.publish(format, "Newer", person);
    await set({ [leftOut]: 99 });
    expect(await search(format, "Sought", person)).toEqual({ count: 0, isWhole: false });
    await set({});
    expect(await search(format, "Sought", person)).toEqual({ count: 1, isWhole: true });
    expect(await search(format, "Never sent", person)).toEqual({ count: 0, isWhole: true });
  });
});
