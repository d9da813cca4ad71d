import { json } from "../../http/json";
import {
  createReviewLink,
  deleteReviewLink,
  listFeedback,
  listReviewLinks,
  presentFeedback,
  presentReviewLink,
  updateFeedback,
} from "../../reviews";
import { FeedbackChange, NewReviewLink } from "../bodies/reviews";
import { route } from "../route";
import { FeedbackList, FeedbackView, IdParam, idOf, ReviewLinkList, ReviewLinkMade } from "../shapes";
import { feedbackExample, reviewLinkExample } from "./examples";

const WHAT = "Posting schedule";
const ONE = { id: "1007" };

const LinkParam = IdParam.extend({ linkId: IdParam.shape.id });
const FeedbackParam = IdParam.extend({ feedbackId: IdParam.shape.id });

const neither = (thing: string) => ({
  status: 404,
  when: `The post or the ${thing.toLowerCase()} does not exist, or belongs to someone else`,
  error: `${thing} not found: 7`,
});

export const createReviewLinkRoute = route({
  method: "post",
  path: "/v1/posts/{id}/review-links",
  summary: "Create a review link",
  description:
    "Anyone with the link can see the post as each network will show it, and can comment, approve or request changes without an account. Feedback never stops publishing. At most 50 links for one post.",
  scope: "posts.write",
  params: IdParam,
  body: NewReviewLink,
  isSecret: true,
  answers: { 201: ReviewLinkMade },
  errorResponses: [
    { status: 400, when: "`days` is missing, or not from 1 to 30", error: "days must be at most 30" },
    {
      status: 409,
      when: "There are 50 review links already",
      error: "Post 1007 has 50 review links already; remove one first",
    },
  ],
  examples: [
    {
      params: ONE,
      body: { days: 7 },
      answer: {
        ...reviewLinkExample,
        url: "https://carillon.example.com/reviews?link=Qn3cTg0yV1mB2xZ8sT6yK4nRgQn3cTg0yV1mB2xZ8sT",
      },
    },
  ],
  async handle({ caller, params, body }) {
    const { url, ...link } = await createReviewLink(caller, idOf(WHAT, params.id), body.days);
    return json({ ...presentReviewLink(link), url }, { status: 201 });
  },
});

export const listReviewLinksRoute = route({
  method: "get",
  path: "/v1/posts/{id}/review-links",
  summary: "List the review links of a post",
  description: "Oldest first, including expired links. The URL of a link is shown only when it is created.",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: ReviewLinkList },
  examples: [{ params: ONE, answer: { items: [reviewLinkExample] } }],
  async handle({ caller, params }) {
    const links = await listReviewLinks(caller.ownerId, idOf(WHAT, params.id));
    return json({ items: links.map(presentReviewLink) });
  },
});

export const deleteReviewLinkRoute = route({
  method: "delete",
  path: "/v1/posts/{id}/review-links/{linkId}",
  summary: "Revoke a review link",
  description: "The link stops working at once. Feedback given with it is kept.",
  scope: "posts.write",
  params: LinkParam,
  answers: { 204: "Revoked" },
  errorResponses: [neither("Review link")],
  examples: [{ params: { ...ONE, linkId: "7" } }],
  async handle({ caller, params }) {
    await deleteReviewLink(caller.ownerId, idOf(WHAT, params.id), idOf("Review link", params.linkId));
    return new Response(null, { status: 204 });
  },
});

export const listFeedbackRoute = route({
  method: "get",
  path: "/v1/posts/{id}/feedback",
  summary: "List the feedback on a post",
  description:
    "Oldest first. An approval refers to the content at that time: `isCurrent` tells whether it is still the same.",
  scope: "posts.read",
  params: IdParam,
  answers: { 200: FeedbackList },
  examples: [{ params: ONE, answer: { items: [feedbackExample] } }],
  async handle({ caller, params }) {
    const items = await listFeedback(caller.ownerId, idOf(WHAT, params.id));
    return json({ items: items.map(presentFeedback) });
  },
});

export const reactToFeedbackRoute = route({
  method: "patch",
  path: "/v1/posts/{id}/feedback/{feedbackId}",
  summary: "Answer, close or reopen feedback",
  description:
    "Absent fields do not change. `changesRequested` of the post disappears when the last open request is closed.",
  scope: "posts.write",
  params: FeedbackParam,
  body: FeedbackChange,
  answers: { 200: FeedbackView },
  errorResponses: [
    { status: 400, when: "A field is invalid", error: "isClosed must be a boolean" },
    neither("Feedback"),
  ],
  examples: [
    {
      params: { ...ONE, feedbackId: "7" },
      body: { answer: "Done: it says Tuesday now.", isClosed: true },
      answer: {
        ...feedbackExample,
        isCurrent: false,
        answer: "Done: it says Tuesday now.",
        answeredTime: "2031-04-28T10:05:00Z",
        closedTime: "2031-04-28T10:05:00Z",
      },
    },
  ],
  async handle({ caller, params, body }) {
    const [id, one] = [idOf(WHAT, params.id), idOf("Feedback", params.feedbackId)];
    return json(presentFeedback(await updateFeedback(caller.ownerId, id, one, body)));
  },
});
