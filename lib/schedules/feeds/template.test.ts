import { expect, test } from "vitest";
import { FeedTemplate, fillTemplate } from "./template";

test("an item adds at most 100,000 characters to the texts of its post together", () => {
  const posts = Array.from({ length: 20 }, () => ({ content: "{{title}} {{summary}}{{summary}}" }));
  const publication = { socialMediaAccountId: 1, platformSettings: { type: "TWITTER" }, posts };
  const template = FeedTemplate.parse({ publications: [publication] });
  const item = { key: "", guid: "", title: "Bells", summary: "a".repeat(5_000) };
  const [filled] = fillTemplate(template, item);
  const texts = filled?.posts.map(({ content }) => content) ?? [];
  expect(texts[0]).toBe(`Bells ${item.summary}${item.summary}`);
  expect(texts.at(-1)).toBe("Bells");
  expect(texts.join("").replaceAll(" ", "").length).toBeLessThanOrEqual(100_000);
});
