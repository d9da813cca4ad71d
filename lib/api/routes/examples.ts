/** One of each shape, as the reference shows it. */
export const EXAMPLE_OWNER = "7c0b6a52-8a8f-4d0e-9a53-2f6c1b1f4e11";
export const EXAMPLE_OBJECT = "0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10.jpg";
export const EXAMPLE_KEY = `${EXAMPLE_OWNER}/${EXAMPLE_OBJECT}`;
const TIME = "2031-04-02T09:15:00.123456";

export const accountExample = {
  id: 42,
  platform: "X_TWITTER",
  accountId: "1580661436132757506",
  accountUsername: "alice",
  accountDisplayName: "Alice",
  accountAvatarUrl: "https://pbs.twimg.com/profile_images/1580661436132757506/alice.jpg",
  createdTime: TIME,
  updatedTime: TIME,
  state: "ACTIVE",
  stateTime: TIME,
  tokenExpiresTime: "2031-04-02T11:15:00.123456",
};

export const accountGroupExample = {
  id: 7,
  name: "Copenhagen shop",
  colour: "CORAL",
  accountIds: [42, 43],
  createdTime: TIME,
  updatedTime: TIME,
};

export const newFeedExample = {
  url: "https://bells.example/feed.xml",
  template: {
    publications: [
      {
        socialMediaAccountId: 42,
        platformSettings: { type: "TWITTER" },
        posts: [{ content: "{{title}}\n\n{{link}}" }],
      },
    ],
  },
};

const filledPublications = [
  {
    socialMediaAccountId: 42,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "A new bell\n\nhttps://bells.example/new-bell" }],
  },
];

export const feedDryRunExample = {
  dryRun: true,
  title: "News of the bell foundry",
  items: [
    {
      guid: "https://bells.example/new-bell",
      title: "A new bell",
      link: "https://bells.example/new-bell",
      publishedTime: "2031-04-02T08:00:00Z",
      publications: filledPublications,
      valid: true,
      problems: [],
    },
  ],
};

export const feedExample = {
  id: 5,
  url: newFeedExample.url,
  posts: 3,
  template: { isDraft: true, ...newFeedExample.template },
  title: "News of the bell foundry",
  state: "ACTIVE",
  lastReadTime: TIME,
  nextReadTime: TIME,
  createdTime: TIME,
};

export const allowedApplicationExample = {
  id: "q3J0Vw1mB2xZ8sT6yK4nRg",
  name: "Planner",
  registeredBy: { type: "USER", name: "Ada", email: "ada@example.com" },
  scopes: ["service-api/posts.read", "service-api/posts.write"],
  allowedTime: TIME,
  firstUsedTime: TIME,
  lastUsedTime: TIME,
};

export const chatExample = { id: "-1001234567890", title: "Alice's channel", type: "channel", platform: "TELEGRAM" };

export const accountOptionsExample = {
  displayName: "Alice",
  settings: {
    privacyLevel: ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
    disableComments: [false, true],
    disableDuet: [true],
    disableStitch: [false, true],
  },
  video: { maxSeconds: 600 },
};

export const queueExample = {
  timeZone: "Europe/Berlin",
  slots: [
    { weekday: "MONDAY", time: "09:30" },
    { weekday: "THURSDAY", time: "17:00" },
  ],
};

export const nextSlotsExample = {
  accountIds: [42, 43],
  items: [
    { time: "2031-05-01T15:00:00Z", accountIds: [42, 43] },
    { time: "2031-05-05T07:30:00Z", accountIds: [42, 43] },
  ],
};

export const newScheduleExample = {
  scheduledTime: "2031-05-01T08:00:00-04:00",
  isDraft: false,
  publications: [
    {
      socialMediaAccountId: 42,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: "The bells are ready", attachmentPaths: [EXAMPLE_KEY] }],
    },
  ],
};

export const flatScheduleExample = {
  platform: "INSTAGRAM",
  accountId: 43,
  content: "The bells are ready",
  mediaPaths: [EXAMPLE_KEY],
  publicationType: "FEED",
  scheduledTime: "2031-05-01T12:00:00Z",
};

const post = { id: 9001, content: "The bells are ready", attachmentPaths: [EXAMPLE_KEY] };

export const scheduleExample = {
  id: 1007,
  overallStatus: "SCHEDULED",
  scheduledTime: "2031-05-01T12:00:00Z",
  publications: [
    {
      id: 3001,
      socialMediaAccountId: 42,
      platformSettings: { type: "TWITTER" },
      status: "PENDING",
      posts: [{ ...post, status: "PENDING" }],
    },
  ],
};

/** The mark of a post that an application has proposed. */
export const proposalExample = {
  application: "Newsletter assistant",
  proposedTime: "2031-04-30T09:00:00Z",
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};

export const publishedScheduleExample = {
  ...scheduleExample,
  overallStatus: "COMPLETED",
  publications: [
    {
      ...scheduleExample.publications[0],
      status: "PUBLISHED",
      posts: [
        {
          ...post,
          status: "PUBLISHED",
          networkPostId: "1912345678901234567",
          permalink: "https://x.com/alice/status/1912345678901234567",
          publishedTime: "2031-05-01T12:00:01.204Z",
        },
      ],
    },
  ],
};

export const confirmedUploadExample = {
  key: EXAMPLE_OBJECT,
  path: EXAMPLE_KEY,
  filename: "bells.jpg",
  contentType: "image/jpeg",
  sizeBytes: 184_220,
  url: "https://carillon.example/media/0d9f0b5c-3f7a-4a57-9a43-5b7f1e2c9d10?e=1924992000&n=gE9Yz1qPq7aR&k=4f2a9c&s=c2lnbmF0dXJl",
};

export const mediaExample = {
  ...confirmedUploadExample,
  width: 1600,
  height: 1200,
  altText: "Three bronze bells in a church tower, seen from below",
  labels: ["Spring 2027", "Towers"],
  digest:
    "blake2b:ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbc4925ab92386edd4009923",
  createdTime: TIME,
};

export const newUploadExample = { filename: "bells.jpg", contentType: "image/jpeg", sizeBytes: 184_220 };

export const uploadGrantExample = {
  key: EXAMPLE_KEY,
  method: "PUT",
  url: `https://carillon.example/media/uploads/${EXAMPLE_KEY}?e=1924992000&k=4f2a9c&s=c2lnbmF0dXJl`,
  headers: {
    "Content-Type": "image/jpeg",
    "x-amz-meta-size-bytes": "184220",
    "x-amz-meta-filename": "bells.jpg",
  },
  expiresAt: "2031-01-01T00:10:00Z",
};

export const importJobExample = {
  id: 77,
  state: "READY",
  sourceUrl: "https://example.com/bells.jpg",
  bytesDownloaded: 184_220,
  totalBytes: 184_220,
  detectedMime: "image/jpeg",
  s3Key: EXAMPLE_KEY,
  errorCode: null,
  errorMessage: null,
};

export const connectUserExample = {
  uuid: "b7d2f7f4-51f5-4a6b-8d1b-0f9f1b8e6c2a",
  name: "Ada",
  email: "ada@example.com",
};

export const connectHeaderExample = { "X-Connect-External-User-Id": "customer-42" };

export const receiptExample = {
  id: 1007,
  overallStatus: "COMPLETED",
  scheduledTime: "2031-05-01T12:00:00Z",
  publications: [
    {
      id: 3001,
      socialMediaAccountId: 42,
      platform: "X_TWITTER",
      status: "PUBLISHED",
      attempts: 1,
      story: [
        {
          postId: 9001,
          outcome: "PUBLISHED",
          message: "Published",
          startTime: "2031-05-01T12:00:00.031Z",
          endTime: "2031-05-01T12:00:00.412Z",
          times: 1,
        },
      ],
      posts: publishedScheduleExample.publications.flatMap(({ posts }) => posts),
    },
  ],
};

export const previewExample = {
  id: 1007,
  publications: [
    {
      id: 3001,
      socialMediaAccountId: 42,
      posts: [
        {
          id: 9001,
          requests: [
            {
              step: "create",
              makesPublic: true,
              method: "POST",
              url: "https://api.x.com/2/tweets",
              headers: { authorization: "Bearer ***", "content-type": "application/json" },
              body: '{"text":"The bells are ready"}',
            },
          ],
        },
      ],
    },
  ],
};

export const newWebhookExample = {
  url: "https://hooks.acme.example/carillon",
  events: ["publication.published", "publication.failed"],
  description: "Production",
};

export const webhookExample = { id: 12, ...newWebhookExample, enabled: true, createdTime: TIME, updatedTime: TIME };

export const webhookSecretExample = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD0aYVvSAmPkM=";

const webhookBody = {
  type: "publication.published",
  timestamp: "2031-05-01T12:00:01.310Z",
  data: { scheduleId: 1007, ...publishedScheduleExample.publications[0] },
};

export const eventExample = { id: "evt_60112", ...webhookBody };

export const deliveryExample = {
  id: "msg_5f2b8d1c0e7a4b6f9c3d2e1f0a9b8c7d",
  type: webhookBody.type,
  state: "DELIVERED",
  body: JSON.stringify(webhookBody),
  attempts: [
    {
      startTime: "2031-05-01T12:00:01.512Z",
      durationMs: 84,
      url: newWebhookExample.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Carillon-Webhooks",
        "webhook-id": "msg_5f2b8d1c0e7a4b6f9c3d2e1f0a9b8c7d",
        "webhook-timestamp": "1935576001",
        "webhook-signature": "v1,…",
      },
      status: 204,
      answer: "",
    },
  ],
  createdTime: TIME,
  endedTime: TIME,
};

export const testDeliveryExample = {
  id: "msg_0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f",
  type: "webhook.test",
  state: "PENDING",
  body: '{"type":"webhook.test","timestamp":"2031-04-02T09:15:00.123Z","data":{"webhookId":12}}',
  attempts: [],
  nextAttemptTime: "2031-04-02T09:15:00.123Z",
  createdTime: TIME,
};

export const importedFileExample =
  'scheduledTime,accounts,text,media,settings\n2031-05-01T12:00:00Z,x:alice; threads:alice,"The bells are ready, all of them",,\n';

export const importReportExample = {
  dryRun: true,
  counts: { ready: 0, invalid: 1, created: 0, existing: 0 },
  rows: [
    {
      row: 2,
      outcome: "invalid",
      scheduledTime: "2031-05-01T12:00:00Z",
      isDraft: false,
      socialMediaAccountIds: [42],
      text: "The bells are ready, all of them",
      problems: [
        {
          path: "publications",
          column: "accounts",
          message: "is not one of this user's accounts: threads:alice",
          rule: "account.unknown",
          measured: "threads:alice",
          fix: "Use an id from GET /v1/accounts, or write it like x:handle",
        },
      ],
    },
  ],
};

export const exportedFileExample =
  'scheduledTime,accounts,text,media,destination,settings,isDraft,publications\r\n"2031-05-01T12:00:00Z","x:alice","The bells are ready","","","","false",""\r\n';

export const reviewLinkExample = { id: 7, createdTime: "2031-04-27T09:15:00Z", endTime: "2031-05-04T09:15:00Z" };

export const feedbackExample = {
  id: 7,
  isCurrent: true,
  name: "Grace",
  verdict: "CHANGES_REQUESTED",
  text: "The bells are ready on Tuesday, not on Monday.",
  createdTime: "2031-04-28T09:40:00Z",
};

export const repeatReportExample = {
  dryRun: true,
  counts: { ready: 2, leftOut: 0, created: 0 },
  dates: [
    {
      date: "2031-05-31",
      scheduledTime: "2031-05-31T07:30:00Z",
      localTime: "2031-05-31T09:30:00+02:00",
      outcome: "ready",
      nearDuplicates: [],
    },
    {
      date: "2031-06-30",
      scheduledTime: "2031-06-30T07:30:00Z",
      localTime: "2031-06-30T09:30:00+02:00",
      isMonthEnd: true,
      outcome: "ready",
      nearDuplicates: [{ id: 1012, socialMediaAccountId: 42, scheduledTime: "2031-06-30T16:00:00Z" }],
    },
  ],
  problems: [],
};

export const newMergeExample = { ids: [1007, 1012], keep: 1007 };

export const mergeReportExample = {
  dryRun: true,
  id: 1007,
  publications: [
    { id: 3001, scheduleId: 1007, socialMediaAccountId: 42, outcome: "kept" },
    {
      id: 3009,
      scheduleId: 1012,
      socialMediaAccountId: 42,
      outcome: "dropped",
      besideId: 3001,
      differences: ["attachmentPaths"],
    },
    { id: 3010, scheduleId: 1012, socialMediaAccountId: 43, outcome: "added" },
  ],
  deleted: [1012],
  feedback: [],
  problems: [],
};
