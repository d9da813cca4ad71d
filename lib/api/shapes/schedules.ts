import { z } from "zod";
import { NewPublication } from "../../schedules";
import { id, nextCursor, sixDigitTime, storageKey, utcInstant } from "./common";
import { PendingImportView } from "./media";
import { ValidationView } from "./problems";

/** Fields that tell whether publishing is paused. */
export const pauseFields = {
  publishingPaused: z.boolean().optional().meta({ description: "`true` while the service does not publish anything" }),
  publishingHeld: z
    .boolean()
    .optional()
    .meta({ description: "`true` while publishing is paused because the service was restored from a backup" }),
  publishingPausedReason: z
    .string()
    .optional()
    .meta({ description: "The reason, if the operator gave one", example: "Network incident" }),
};

export const PublicationStatusView = z.enum(["PENDING", "IN_PROGRESS", "PUBLISHED", "FAILED", "UNKNOWN"]).meta({
  id: "PublicationStatus",
  description:
    "`PENDING`: nothing has been sent. It is sent at its time, unless the post is a draft. `UNKNOWN`: the last call was sent, and the network cannot tell whether it succeeded. It is never sent again automatically",
});

export const ScheduleStatusView = z
  .enum([
    "DRAFT",
    "AWAITING_MEDIA",
    "SCHEDULED",
    "MEDIA_IMPORT_FAILED",
    "IN_PROGRESS",
    "COMPLETED",
    "PARTIALLY_COMPLETED",
    "FAILED",
  ])
  .meta({ id: "ScheduleStatus" });

export const PostView = z
  .object({
    id,
    content: z.string().optional().meta({ description: "Absent if the post has no text" }),
    attachmentPaths: z.array(z.string()).optional().meta({ description: "Absent if the post has no media" }),
    chatId: z.string().optional(),
    thumbnail: storageKey.optional(),
    status: PublicationStatusView,
    networkPostId: z.string().optional().meta({ description: "The network's own identifier of the post" }),
    permalink: z.url().optional().meta({ description: "The address of the public post" }),
    publishedTime: utcInstant.optional(),
    error: z.string().optional().meta({ description: "Why it was not published" }),
  })
  .meta({ id: "Post" });

export const FirstCommentView = z
  .object({
    status: z.enum(["PENDING", "PUBLISHED", "FAILED", "UNKNOWN"]).meta({
      description: "Of the comment alone. `UNKNOWN`: it was sent, and may be there. It is never sent again",
    }),
    networkCommentId: z.string().optional().meta({ description: "The network's own identifier of the comment" }),
    permalink: z.url().optional(),
    error: z.string().optional().meta({ description: "Why it was not published" }),
  })
  .meta({ id: "FirstComment", description: "The outcome of `platformSettings.firstComment`" });

/** The networks define the possible settings (`openapi/networks.ts`). */
const StoredSettings = z.looseObject({ type: z.string() }).meta({ id: "StoredPlatformSettings" });

export const PublicationView = z
  .object({
    id,
    socialMediaAccountId: id.meta({ description: "The `id` of an account" }),
    platformSettings: StoredSettings,
    status: PublicationStatusView,
    posts: z.array(PostView),
    missed: z.literal(true).optional().meta({ description: "It failed because its account needed reconnecting" }),
    leftTime: utcInstant.optional().meta({ description: "When the user decided to leave it unpublished" }),
    firstComment: FirstCommentView.optional().meta({
      description: "Absent before the post is published there, and without a comment",
    }),
  })
  .meta({ id: "Publication", description: "The part of a post for one account" });

const ProposalView = z
  .object({
    application: z.string().meta({ description: "The name of the application or token that proposed the post" }),
    proposedTime: utcInstant.meta({
      description: "When it was proposed, or when an application last changed an alt text or the name of its files",
    }),
    digest: z.string().meta({
      description:
        "Names the content and the time that the post has now: SHA-256, in hexadecimal. An approval sends it back",
    }),
    files: z
      .array(z.object({ path: z.string(), filename: z.string(), altText: z.string().optional() }))
      .optional()
      .meta({
        description:
          "The stored files and covers of the post, with the names and alt texts that `digest` covers. Absent without files",
      }),
    approvedTime: utcInstant.optional().meta({ description: "When a person approved this content. Absent before" }),
  })
  .meta({ id: "Proposal", description: "Who proposed the post, and whether a person has approved it" });

export const ScheduleView = z
  .object({
    id,
    overallStatus: ScheduleStatusView,
    scheduledTime: utcInstant.optional().meta({ description: "UTC. Absent for a draft without a time" }),
    publications: z.array(PublicationView),
    changesRequested: z.literal(true).optional().meta({
      description: "A reviewer asked for changes, and the request is not closed. It does not stop publishing",
    }),
    proposal: ProposalView.optional().meta({ description: "Only of a post that an application proposed" }),
    pendingImports: z
      .array(PendingImportView)
      .optional()
      .meta({ description: "Running imports. Absent if there are none" }),
  })
  .meta({ id: "Schedule", description: "A post with its status on every account" });

export const CreatedScheduleView = ScheduleView.extend({
  warnings: z
    .array(
      z.object({
        path: z.string().meta({ description: "The field of the request body. Empty for the whole body" }),
        message: z.string(),
      }),
    )
    .optional()
    .meta({ description: "What the network will not publish as requested. Absent if there is nothing to report" }),
}).meta({ id: "CreatedSchedule", description: "A new post" });

export const ScheduleList = z.object({ items: z.array(ScheduleView), nextCursor }).meta({ id: "ScheduleList" });

const count = z.number().int().min(0);

export const PostCountsView = z
  .object({
    limit: count.meta({ description: "A count that has reached this limit means this many or more", example: 10_000 }),
    counts: z.object(
      Object.fromEntries(ScheduleStatusView.options.map((status) => [status, count])) as Record<
        z.output<typeof ScheduleStatusView>,
        typeof count
      >, // it has every status
    ),
  })
  .meta({ id: "PostCounts", description: "How many posts there are of each status" });

const filledPublications = z.array(
  NewPublication.extend({
    posts: z.array(
      z.object({
        content: z.string().optional(),
        attachmentPaths: z.array(z.string()).optional(),
        chatId: z.string().optional(),
        thumbnailPath: z.string().optional(),
      }),
    ),
  })
    .strip()
    .meta({ id: "FeedPublication", description: "As in `POST /v1/posts`" }),
);

export const FeedView = z
  .object({
    id,
    url: z.url(),
    template: z.object({ isDraft: z.boolean(), publications: filledPublications }),
    posts: z.number().int().meta({ description: "The posts that were made of its items" }),
    title: z.string().optional().meta({ description: "The feed's own title" }),
    state: z.enum(["ACTIVE", "FAILING", "STOPPED"]).meta({
      description:
        "`FAILING`: the last reading failed, or an item of it did not become a post; it is read again. `STOPPED`: it is not read any more, because its server says that it is gone for ever (410), the password was reset, or the application that added it may no longer act for the user",
    }),
    error: z.string().optional().meta({ description: "Why it is failing or stopped" }),
    lastReadTime: sixDigitTime.optional(),
    nextReadTime: sixDigitTime.optional(),
    createdTime: sixDigitTime,
  })
  .meta({ id: "Feed", description: "A feed whose new items become posts" });

export const FeedDryRunView = z
  .object({
    dryRun: z.literal(true),
    title: z.string().optional().meta({ description: "The feed's own title" }),
    items: z
      .array(
        z
          .object({
            guid: z.string(),
            title: z.string().optional(),
            link: z.url().optional(),
            summary: z.string().optional(),
            author: z.string().optional(),
            image: z.url().optional(),
            publishedTime: utcInstant.optional(),
            publications: filledPublications,
          })
          .extend(ValidationView.shape),
      )
      .meta({ description: "The newest items first, each with its post and what the networks would refuse" }),
  })
  .meta({ id: "FeedDryRun" });

const link = {
  id,
  createdTime: utcInstant,
  endTime: utcInstant.meta({ description: "When the link stops working" }),
};

export const ReviewLinkView = z.object(link).meta({
  id: "ReviewLink",
  description: "A link with which people without an account can see a post and give feedback",
});

export const ReviewLinkMade = z
  .object({ ...link, url: z.url().meta({ description: "Shown only once, because only its hash is stored" }) })
  .meta({ id: "NewReviewLink" });

export const ReviewLinkList = z.object({ items: z.array(ReviewLinkView) }).meta({ id: "ReviewLinks" });

export const FeedbackView = z
  .object({
    id,
    isCurrent: z.boolean().meta({
      description: "Whether the content has not changed since. A new time alone does not count",
    }),
    name: z.string().meta({ description: "The name that the reviewer gave" }),
    verdict: z.enum(["APPROVED", "CHANGES_REQUESTED"]).optional().meta({ description: "Absent for a comment only" }),
    text: z.string().meta({ description: "Plain text. May be empty for an approval" }),
    createdTime: utcInstant,
    answer: z.string().optional().meta({ description: "The user's answer, visible to everyone with the link" }),
    answeredTime: utcInstant.optional(),
    closedTime: utcInstant.optional(),
  })
  .meta({ id: "Feedback", description: "Feedback on a post from someone with a review link" });

export const FeedbackList = z.object({ items: z.array(FeedbackView) }).meta({ id: "FeedbackList" });
