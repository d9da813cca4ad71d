import { randomToken } from "../core/ids";
import type { Call } from "../core/network";

type Detail = {
  subcode?: number;
  title?: string;
  advice?: string;
  isTransient?: boolean;
  type?: string;
  /** What an upload has to go on from. */
  data?: Record<string, unknown>;
};

/** A refusal in the Graph API's envelope; source: Graph API, handling errors. Mostly HTTP 400. */
export class GraphRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly detail: Detail = {},
    readonly status: 400 | 401 | 403 | 404 | 500 = 400,
  ) {
    super(message);
  }
}

export function answerRefusal(call: Call, { message, code, detail, status }: GraphRefusal): Response {
  const error = {
    message,
    type: detail.type ?? "OAuthException",
    code,
    ...(detail.subcode ? { error_subcode: detail.subcode } : {}),
    is_transient: detail.isTransient ?? false,
    ...(detail.title ? { error_user_title: detail.title, error_user_msg: detail.advice ?? detail.title } : {}),
    ...(detail.data ? { error_data: detail.data } : {}),
    fbtrace_id: `A${randomToken(8)}`,
  };
  return call.json({ error }, status);
}

/** What every part of the Graph API refuses in the same words. */
export const graphRefusals = {
  badToken: () => new GraphRefusal(190, "Invalid OAuth access token - Cannot parse access token", {}, 401),
  deadToken: (subcode: number, why: string) =>
    new GraphRefusal(190, `Error validating access token: ${why}`, { subcode }, 401),
  parameter: (text: string, detail: Detail = {}) => new GraphRefusal(100, `(#100) ${text}`, detail),
  noObject: (id: string, verb: string) =>
    new GraphRefusal(
      100,
      `Unsupported ${verb} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
      { subcode: 33, type: "GraphMethodException" },
    ),
  noField: (field: string, node: string) =>
    new GraphRefusal(100, `(#100) Tried accessing nonexisting field (${field}) on node type (${node})`),
  internal: () =>
    new GraphRefusal(
      2,
      "An unexpected error has occurred. Please retry your request later.",
      { isTransient: true },
      500,
    ),
};
