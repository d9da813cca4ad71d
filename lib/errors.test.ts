import { expect, test } from "vitest";
import { splitReconnectMessage } from "./errors";

test.each([
  ["X wants you back", "X wants you back", "Reconnect the account"],
  ["X wants you back. Reconnect the account.", "X wants you back", "Reconnect the account"],
  ["It took too long. Connect again", "It took too long", "Connect again"],
  ["No permission. Reconnect the account and allow all", "No permission", "Reconnect the account and allow all"],
  [
    "Facebook wants you at facebook.com. Do that, then reconnect the account",
    "Facebook wants you at facebook.com",
    "Do that, then reconnect the account",
  ],
  ["It is deactivated. Reconnect it once it is active", "It is deactivated", "Reconnect it once it is active"],
])("splitReconnectMessage: %s", (message, reason, action) => {
  expect(splitReconnectMessage(message)).toEqual({ reason, action });
});
