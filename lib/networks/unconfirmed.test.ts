import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { networkOf } from ".";
import { type AtSandbox, atSandbox, failureOf, memoryRun, newMemory } from "./testing";
import { publishPost } from "./x/publish";

// Behaviour of the networks that no source confirms. The sandbox has a switch for it, and Carillon must work either way. Other
// switches are tested next to the adapter that they concern.

describe("X", () => {
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(networkOf("X_TWITTER"));
  });
  afterAll(() => at.close());

  test.each(["post.fields", "tweet.fields"])(
    "finds a post whose answer was lost if X accepts only %s",
    async (fieldLists) => {
      await at.control("x/switches", { fieldLists });
      const person = await at.person();
      const [memory, sent] = [newMemory(), { content: `Read back with ${fieldLists}`, media: [], settings: {} }];
      const publish = () => publishPost(sent, memoryRun(person.session, memory));
      await at.fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(publish())).toMatchObject({ kind: "unknown", refused: false });
      const { id } = await publish();
      expect((await at.held(person)).map((one) => one.id)).toEqual([id]);
    },
  );
});
