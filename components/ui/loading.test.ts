import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiFailure } from "../api/client";
import { PostNotLoaded } from "./loading";
import { Handle } from "./sentence";

test.each([
  ["that does not exist", 404, /There is no such post\. It may have been deleted\./, 0],
  ["that was not read because of too many requests", 429, /Could not load this post: Not now.*>Try again</, 1],
  ["that was not read because the network is gone", 0, /Could not load this post: Not now.*>Try again</, 1],
])("a post %s", (_, status, says, buttons) => {
  const error = new ApiFailure(status, "Not now");
  const page = renderToStaticMarkup(createElement(PostNotLoaded, { error, retry: () => {} }));
  expect(page).toMatch(says);
  expect(page.match(/<button/g)?.length ?? 0).toBe(buttons);
});

test("a long handle breaks before its dots", () => {
  const handle = renderToStaticMarkup(createElement(Handle, null, "@carillon-official.bsky.social on Bluesky"));
  expect(handle).toBe("@carillon-official<wbr/>.bsky<wbr/>.social on Bluesky");
});
