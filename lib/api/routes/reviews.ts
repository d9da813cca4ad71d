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
  when: `The posting schedule or the ${thing.toLowerCase()} does not exist, or belongs to somebody else`,
  error: `${thing} not found: 7`,
});

export const createReviewLinkRoute = route({
  method: "post",
  path: "/v1/posts/{id}/review-links",
  summary: "Makes a link to share a post for feedback",
  description:
    "Whoever has it sees the post as each network will show it, without an account, and can comment, approve or ask for changes. Nothing of that keeps the post from going out. At most 50 for one posting schedule.",
  scope: "posts.write",
  params: IdParam,
  body: NewReviewLink,
  isSecret: true,
  answers: { 201: ReviewLinkMade },
  refusals: [
    { status: 400, when: "`days` is missing, or not 1 to 30", error: "days must be at most 30" },
    {
      status: 409,
      when: "It has 50 review links",
      error: "Posting schedule 1007 has 50 review links already; remove one first",
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
    const { url, ...link } = await createReviewLink(caller.ownerId, idOf(WHAT, params.id), body.days);
    return json({ ...presentReviewLink(link), url }, { status: 201 });
  },
});

export const listReviewLinksRoute = route({
  method: "get",
  path: "/v1/posts/{id}/review-links",
  summary: "The review links of a post",
  description:
    "The oldest first, with those that have ended. Where they lead was told when they were made, and never again.",
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
  summary: "Revokes a review link",
  description: "It shows nothing from this moment on. What was said by it stays.",
  scope: "posts.write",
  params: LinkParam,
  answers: { 204: "Revoked" },
  refusals: [neither("Review link")],
  examples: [{ params: { ...ONE, linkId: "7" } }],
  async handle({ caller, params }) {
    await deleteReviewLink(caller.ownerId, idOf(WHAT, params.id), idOf("Review link", params.linkId));
    return new Response(null, { status: 204 });
  },
});

export const listFeedbackRoute = route({
  method: "get",
  path: "/v1/posts/{id}/feedback",
  summary: "What was said of a post by its review links",
  description:
    "The oldest first. An approval belongs to the content that was shown: `isCurrent` says whether that is still the same.",
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
  summary: "Answers, closes or reopens what was said",
  description:
    "What is absent stays as it is. `changesRequested` of the posting schedule is gone with the last request that is closed.",
  scope: "posts.write",
  params: FeedbackParam,
  body: FeedbackChange,
  answers: { 200: FeedbackView },
  refusals: [{ status: 400, when: "A field is wrong", error: "isClosed must be a boolean" }, neither("Feedback")],
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
