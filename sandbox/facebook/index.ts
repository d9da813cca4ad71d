import { z } from "zod";
import type { Call, NetworkDefinition, Operation, Route } from "../core/network";
import { isTrue, parametersOf } from "../meta/parameters";
import { GraphRefusal } from "../meta/refusal";
import { authorize } from "./authorize";
import { businesses, businessPages, openBusiness } from "./business";
import { onError, refusals } from "./errors";
import { faultAnswers, usageHeader } from "./faults";
import { createPhoto, createPost } from "./feed";
import { listPosts, node, nodeOperation, setThumbnail } from "./node";
import { type FacebookState, openState, userId } from "./state";
import { listStories, photoStory } from "./story";
import { giveToken } from "./token";
import { feedVideo, phased, receive } from "./upload";
import { accounts, permissions, withdraw } from "./user";

type Handle = Route["handle"];

/** Graph API v26.0 for Pages: www, graph, graph-video and rupload under one prefix. */
export const facebook: NetworkDefinition = {
  id: "facebook",
  name: "Facebook",
  open(world) {
    const state = openState(world);
    return {
      routes: [...personRoutes(state), ...pageRoutes(state)],
      faults: faultAnswers(state),
      notFound: (call) => onError(call, new GraphRefusal(2500, "Unknown path components")),
      onError,
      reset: state.forget,
      control: {
        "change-password": (body) => changePassword(state, body),
        "open-business": (body) => openBusiness(state, body),
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

function personRoutes(state: FacebookState): Route[] {
  return [
    graph("GET", "/dialog/oauth", "authorize", (call) => authorize(state, call)),
    graph("POST", "/dialog/oauth", "authorize", (call) => authorize(state, call)),
    graph("GET", "/oauth/access_token", tokenOperation, (call) => giveToken(state, call)),
    graph("POST", "/oauth/access_token", tokenOperation, (call) => giveToken(state, call)),
    graph("GET", "/me/accounts", "destinations", (call) => accounts(state, call)),
    graph("GET", "/me/businesses", "other", (call) => businesses(state, call)),
    graph("GET", "/:id/owned_pages", "other", (call) => businessPages(state, call, "owned")),
    graph("GET", "/:id/client_pages", "other", (call) => businessPages(state, call, "clients")),
    graph("GET", "/me/permissions", "other", (call) => permissions(state, call)),
    graph("DELETE", "/me/permissions", "revoke", (call) => withdraw(state, call)),
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
    page("POST", "/:id/video_reels", phaseOperation, (call) => phased(state, call, "reel")),
    page("POST", "/:id/video_stories", phaseOperation, (call) => phased(state, call, "story")),
    page("POST", "/:id/photo_stories", "publish", (call) => photoStory(state, call)),
    page("POST", "/:id/thumbnails", "other", (call) => setThumbnail(state, call)),
    page("GET", "/:id/published_posts", "status", (call) => listPosts(state, call)),
    page("GET", "/:id/stories", "status", (call) => listStories(state, call)),
    { method: "POST", path: "/video-upload/:version/:id", operation: "upload", handle: (call) => receive(state, call) },
    page(
      "GET",
      "/:id",
      (call) => nodeOperation(state, call),
      (call) => node(state, call),
    ),
  ];
}

/** A token that is exchanged for one with a new period is a refresh where it was long-lived already. */
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

/** Ends all that a person ever allowed, with 190/460. */
function changePassword(state: FacebookState, body: unknown): Response {
  const { account } = Password.parse(body);
  for (const [, grant] of state.world.collection<{ id: string; account: string }>("facebook.grants").entries()) {
    if (grant.account === account) state.deaths.put(grant.id, 460);
  }
  return Response.json({ id: userId(account) });
}

/** Takes a person's role on a Page away: 190/492. */
function leavePage(state: FacebookState, body: unknown): Response {
  const { account, page } = Leave.parse(body);
  state.left.put(`${account}/${page}`, true);
  return Response.json({ id: page });
}

/** v20.0 ended on 2026-09-24; v26.0 is the newest. */
function assertVersion(call: Call): void {
  const major = Number(/^v(\d+)/.exec(call.req.param("version") ?? "")?.[1]);
  if (major > 26) throw refusals.parameter(`Unknown version ${call.req.param("version")}`);
  if (major < 21)
    throw new GraphRefusal(
      2635,
      "(#2635) You are calling a deprecated version. Please update to the latest version: v26.0.",
    );
}
