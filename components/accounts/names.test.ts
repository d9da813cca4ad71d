import { expect, test } from "vitest";
import type { ApiAccount } from "../api/types";
import { handleOf } from "./names";

const account = (accountUsername: string, accountDisplayName: string): ApiAccount => ({
  id: 1,
  platform: "X_TWITTER",
  accountId: "1",
  accountUsername,
  accountDisplayName,
  state: "ACTIVE",
  stateTime: "",
  createdTime: "",
  updatedTime: "",
});

test.each([
  ["a user name with @", "bells", "The Bells", "@bells"],
  ["a user name that already has its @, unchanged", "@bells", "The Bells", "@bells"],
  ["the display name if there is no user name", "", "The Bells", "The Bells"],
  [
    "a name instead of a user name, as LinkedIn and Facebook return it, unchanged",
    "Alice Sandbox",
    "Alice Sandbox",
    "Alice Sandbox",
  ],
])("shows %s", (_, username, name, written) => {
  expect(handleOf(account(username, name))).toBe(written);
});
