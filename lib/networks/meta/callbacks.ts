import type { App, CallbackRequest, Network, NetworkNotice } from "../network";
import { readSignedRequest } from "./signed-request";

/** What Meta's networks post to us: one address for a permission that was taken back, one for data that is to go. */
export function metaCallbacks(name: string): Pick<Network, "notifications" | "deletionRequest"> {
  return {
    notifications(app: App, request: CallbackRequest): NetworkNotice[] {
      const says = `The person took Carillon's permission away at ${name}. Connect the account again`;
      return [{ kind: "deauthorized", says, ...readSignedRequest(app, request) }];
    },
    deletionRequest: readSignedRequest,
  };
}
