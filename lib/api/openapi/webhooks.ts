import { accountExample, importJobExample, publishedScheduleExample, scheduleExample } from "../routes/examples";
import { eventShapes } from "../shapes";
import { nounOf } from "./descriptions";
import type { Schemas } from "./schemas";
import type { OpenApi, Parameter } from "./types";

const HEADERS: Parameter[] = [
  {
    name: "webhook-id",
    in: "header",
    required: true,
    description: "The same for every attempt, different for each webhook",
    schema: { type: "string" },
    example: "msg_5f2b8d1c0e7a4b6f9c3d2e1f0a9b8c7d",
  },
  {
    name: "webhook-timestamp",
    in: "header",
    required: true,
    description: "The time of sending, in seconds since 1970",
    schema: { type: "string" },
    example: "1935576001",
  },
  {
    name: "webhook-signature",
    in: "header",
    required: true,
    description:
      "`v1,` and the base64 of HMAC-SHA256 over ID, timestamp and body, separated by full stops. Two of them after a rotation",
    schema: { type: "string" },
    example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
];

const RESPONSES = {
  "2XX": { description: "Accepted. After any other answer, or none within 15 seconds, the delivery is sent again" },
  410: { description: "The endpoint wants no more events, so the webhook is disabled" },
};

/** The events as requests that Carillon sends. */
export function webhooksOf(schemas: Schemas): OpenApi["webhooks"] {
  const sent = eventShapes.map(({ type, says, shape }) => {
    const example = { type, timestamp: "2031-05-01T12:00:01.310Z", data: exampleOf(type) };
    const content = {
      "application/json": { schema: schemas.of(shape, "output"), examples: { usual: { value: example } } },
    };
    const post = {
      operationId: type,
      tags: [nounOf("/v1/webhooks").tag] as [string],
      summary: says,
      security: [{ webhookSignature: [] }],
      parameters: HEADERS,
      requestBody: { required: true as const, content },
      responses: RESPONSES,
    };
    return [type, { post }];
  });
  return Object.fromEntries(sent);
}

function exampleOf(type: (typeof eventShapes)[number]["type"]): object {
  const [published] = publishedScheduleExample.publications;
  if (type.startsWith("account.")) return { ...accountExample, externalUserId: "customer-42" };
  if (type === "media.upload.failed") return failedImport;
  if (type === "media.upload.ready") return importJobExample;
  if (type === "publication.published") return { scheduleId: scheduleExample.id, ...published };
  if (type.startsWith("comment.")) {
    const firstComment = { status: type === "comment.published" ? "PUBLISHED" : "FAILED" };
    return { scheduleId: scheduleExample.id, ...published, firstComment };
  }
  if (type === "publication.failed")
    return { scheduleId: scheduleExample.id, ...scheduleExample.publications[0], status: "FAILED" };
  return type === "post.scheduled" || type === "post.deleted"
    ? scheduleExample
    : { ...publishedScheduleExample, ...STATUS[type] };
}

const { s3Key: _, ...unfinished } = importJobExample;
const failedImport = {
  ...unfinished,
  state: "FAILED_PERMANENT",
  errorCode: "HTTP_STATUS",
  errorMessage: "The server answered 404 (Not Found)",
};

const STATUS: { [type: string]: { overallStatus: string } } = {
  "post.media_import_failed": { overallStatus: "MEDIA_IMPORT_FAILED" },
  "post.in_progress": { overallStatus: "IN_PROGRESS" },
  "post.completed": { overallStatus: "COMPLETED" },
  "post.partially_completed": { overallStatus: "PARTIALLY_COMPLETED" },
  "post.failed": { overallStatus: "FAILED" },
};
