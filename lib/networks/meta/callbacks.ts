import type { App, CallbackRequest, Network, NetworkNotice } from "../network";
import { readSignedRequest } from "./signed-request";

/** The two callbacks of Meta's networks: a person removed our permission, or asks for deletion of their data. */
export function metaCallbacks(name: string): Pick<Network, "notifications" | "deletionRequest"> {
  return {
    notifications(app: App, request: CallbackRequest): NetworkNotice[] {
      const says = `The user removed Carillon's permission at ${name}. Connect the account again`;
      return [{ kind: "deauthorized", says, ...readSignedRequest(app, request) }];
    },
    deletionRequest: readSignedRequest,
  };
}
