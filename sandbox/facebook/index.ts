import * as z from "zod";
import type { Call, FaultAnswers, NetworkDefinition, Operation, Route } from "../core/network";
import { switchesControl } from "../core/switches";
import { GraphError, isTrue, parametersOf } from "../meta/graph";
import { createComment, listComments } from "./comments";
import { errors, onError } from "./errors";
import { listPosts, node, nodeOperation, setThumbnail } from "./node";
import { authorize, CLIENT, issueToken } from "./oauth";
import { createPhoto, createPost, listStories, photoStory } from "./posts";
import { tokenIn } from "./session";
import { type FacebookState, openState, userId } from "./state";
import { feedVideo, phasedUpload, receiveBytes } from "./upload";
import {
  accounts,
  application,
  applicationPermissions,
  businesses,
  businessPages,
  createBusiness,
  permissions,
  revokePermissions,
  searchPages,
} from "./user";

type Handle = Route["handle"];

/** Graph API v26.0 for Pages: www, graph, graph-video and rupload under one prefix. */
export const facebook: NetworkDefinition = {
  id: "facebook",
  name: "Facebook",
  open(world) {
    const state = openState(world);
    return {
      routes: [...userRoutes(state), ...pageRoutes(state)],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new GraphError(2500, "Unknown path components")),
      onError,
      accountOf: async (call) => state.grants.accountOf(tokenIn(call, await parametersOf(call))),
      reset: state.reset,
      control: {
        ...switchesControl(state.switches),
        "change-password": (body) => changePassword(state, body),
        "open-business": (body) => createBusiness(state, body),
        "leave-page": (body) => leavePage(state, body),
      },
    };
  },
};

function graph(method: "GET" | "POST" | "DELETE", path: string, operation: Route["operation"], handle: Handle): Route {
  return {
    method,
    path: `/:version{v[0-9]+\\.[0-9]+}${path}`,
    operation,
    handle(call) {
      assertVersion(call);
      return handle(call);
    },
  };
}

function userRoutes(state: FacebookState): Route[] {
  return [
    graph("GET", "/dialog/oauth", "authorize", (call) => authorize(state, call)),
    graph("POST", "/dialog/oauth", "authorize", (call) => authorize(state, call)),
    graph("GET", "/oauth/access_token", tokenOperation, (call) => issueToken(state, call)),
    graph("POST", "/oauth/access_token", tokenOperation, (call) => issueToken(state, call)),
    graph("GET", `/${CLIENT.id}`, "other", (call) => application(state, call)),
    graph("GET", `/${CLIENT.id}/permissions`, "other", (call) => applicationPermissions(state, call)),
    graph("GET", "/me/accounts", "destinations", (call) => accounts(state, call)),
    graph("GET", "/pages/search", "destinations", (call) => searchPages(state, call)),
    graph("GET", "/me/businesses", "other", (call) => businesses(state, call)),
    graph("GET", "/:id/owned_pages", "other", (call) => businessPages(state, call, "owned")),
    graph("GET", "/:id/client_pages", "other", (call) => businessPages(state, call, "clients")),
    graph("GET", "/me/permissions", "other", (call) => permissions(state, call)),
    graph("DELETE", "/me/permissions", "revoke", (call) => revokePermissions(state, call)),
  ];
}

function pageRoutes(state: FacebookState): Route[] {
  const page = (method: "GET" | "POST", path: string, operation: Route["operation"], handle: Handle) =>
    graph(method, path, operation, (call) => {
      usageHeader(call, 1, 0);
      return handle(call);
    });
  return [
    page("POST", "/:id/feed", "publish", (call) => createPost(state, call)),
    page("POST", "/:id/photos", photoOperation, (call) => createPhoto(state, call)),
    page("POST", "/:id/videos", phaseOperation, (call) => feedVideo(state, call)),
    page("POST", "/:id/video_reels", phaseOperation, (call) => phasedUpload(state, call, "reel")),
    page("POST", "/:id/video_stories", phaseOperation, (call) => phasedUpload(state, call, "story")),
    page("POST", "/:id/photo_stories", "publish", (call) => photoStory(state, call)),
    page("POST", "/:id/thumbnails", "other", (call) => setThumbnail(state, call)),
    page("POST", "/:id/comments", "publish", (call) => createComment(state, call)),
    page("GET", "/:id/comments", "status", (call) => listComments(state, call)),
    page("GET", "/:id/published_posts", "status", (call) => listPosts(state, call)),
    page("GET", "/:id/stories", "status", (call) => listStories(state, call)),
    {
      method: "POST",
      path: "/video-upload/:version/:id",
      operation: "upload",
      handle: (call) => receiveBytes(state, call),
    },
    page(
      "GET",
      "/:id",
      (call) => nodeOperation(state, call),
      (call) => node(state, call),
    ),
    {
      method: "GET",
      path: "/:id{[0-9_]+}",
      operation: (call) => nodeOperation(state, call),
      handle: (call) => node(state, call),
    },
  ];
}

/** Token exchanges are recorded as `refresh`, code redemptions as `token`. */
async function tokenOperation(call: Call): Promise<Operation> {
  return (await parametersOf(call)).grant_type === "fb_exchange_token" ? "refresh" : "token";
}

async function photoOperation(call: Call): Promise<Operation> {
  const { published } = await parametersOf(call);
  return published === undefined || isTrue(published) ? "publish" : "upload";
}

async function phaseOperation(call: Call): Promise<Operation> {
  const { upload_phase: phase } = await parametersOf(call);
  const operations: Record<string, Operation> = { start: "prepare", transfer: "upload", cancel: "other" };
  return operations[phase?.toLowerCase() ?? ""] ?? "publish";
}

const Password = z.strictObject({ account: z.string() });
const Leave = z.strictObject({ account: z.string(), page: z.string() });

/** Changes a user's password: all their tokens fail with 190/460. */
function changePassword(state: FacebookState, body: unknown): Response {
  const { account } = Password.parse(body);
  for (const [, grant] of state.world.collection<{ id: string; account: string }>("facebook.grants").entries()) {
    if (grant.account === account) state.revocations.put(grant.id, 460);
  }
  return Response.json({ id: userId(account) });
}

/** Removes a user's role on a Page: its tokens fail with 190/492. */
function leavePage(state: FacebookState, body: unknown): Response {
  const { account, page } = Leave.parse(body);
  state.lostPages.put(`${account}/${page}`, true);
  return Response.json({ id: page });
}

/**
 * v26.0 is the newest version. Calls to a retired version (v20.0 ended on 2026-09-24) are answered by the oldest usable one, and
 * calls without a version too. Source: Graph API, platform versioning.
 */
function assertVersion(call: Call): void {
  const major = Number(/^v(\d+)/.exec(call.req.param("version") ?? "")?.[1]);
  if (major > 26) throw errors.parameter(`Unknown version ${call.req.param("version")}`);
}

function faultAnswers(state: FacebookState): FaultAnswers {
  return {
    internalError: (call) => onError(call, errors.internal()),
    operator: (call) => onError(call, errors.noCapability()),
    rateLimited(call, afterSeconds) {
      usageHeader(call, 100, Math.ceil(afterSeconds / 60));
      return onError(call, errors.throttled());
    },
    invalidGrant: (call) => onError(call, call.req.query("code") ? errors.usedCode(36009) : errors.invalidToken(463)),
    duplicate: (call) => onError(call, errors.duplicate()),
    async revokeToken(call) {
      const token = tokenIn(call, await parametersOf(call));
      const live = state.grants.findToken(token, "short", "long", "page");
      if (!live) return undefined;
      state.revocations.put(live.grant, 458);
      return onError(call, errors.invalidToken(458));
    },
  };
}

/** Sets `X-Business-Use-Case-Usage`, Meta's header with the minutes until calls are allowed again. */
function usageHeader(call: Call, percent: number, minutes: number): void {
  const use = {
    type: "pages",
    call_count: percent,
    total_cputime: 1,
    total_time: 1,
    estimated_time_to_regain_access: minutes,
  };
  call.header("X-Business-Use-Case-Usage", JSON.stringify({ "100000000000001": [use] }));
}
