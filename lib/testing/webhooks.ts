import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { Asked } from "../http/testing/file-server";
import { startWorker } from "../jobs";
import { deliverWebhooks, type EventType, fanOut, readerLoops, releaseDeliveries } from "../webhooks";
import { withFiles } from "./files";
import { type Client, readResponse } from "./owners";

type Answer = (request: IncomingMessage, response: ServerResponse, visit: number) => unknown;

/** Delivers webhooks while the tests of a file run. */
export function withDeliveries(options?: Parameters<typeof deliverWebhooks>[0]): void {
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  beforeAll(async () => {
    const duties = [deliverWebhooks(options)];
    worker = await startWorker({ jobs: [], duties, loops: readerLoops([fanOut]), releaseClaims: releaseDeliveries });
  });
  afterAll(() => worker?.stop());
}

/** Runs a server for webhook receivers, each at its own path; `slot` as for `withFiles`. */
export function withReceivers(slot: number) {
  const answers = new Map<string, Answer>();
  const files = withFiles(slot, (request, response, asked) => {
    const visit = asked.filter(({ path }) => path === request.url).length - 1;
    request.on("end", () =>
      (answers.get(request.url ?? "") ?? ((_, late) => late.writeHead(404).end()))(request, response, visit),
    );
    request.resume();
  });
  return (answer: Answer = (_, response) => response.writeHead(204).end()) => {
    const path = `/${randomBytes(6).toString("hex")}`;
    answers.set(path, answer);
    const url = files().url + path;
    const had = (): Asked[] => files().asked.filter((asked) => asked.path === path);
    return {
      url,
      had,
      /** Returns the requests it received, once there are at least this many. */
      received: (count: number) =>
        vi.waitFor(
          () => {
            expect(had().length).toBeGreaterThanOrEqual(count);
            return had();
          },
          { timeout: 45_000, interval: 50 },
        ),
    };
  };
}

export type WebhookSeen = { id: number; secret: string; enabled: boolean; disabledReason?: string };

export async function newWebhookReceiver(client: Client, url: string, events: EventType[]): Promise<WebhookSeen> {
  const [status, body] = await readResponse(client.post("/v1/webhooks", { url, events }));
  if (status !== 201) throw new Error(`the webhook was not accepted: ${JSON.stringify(body)}`);
  return body as WebhookSeen;
}

export type DeliverySeen = {
  id: string;
  type: string;
  state: string;
  body: string;
  attempts: { status?: number; answer?: string; error?: string; headers: { [name: string]: string } }[];
  nextAttemptTime?: string;
};

export async function deliveriesOf(client: Client, webhookId: number): Promise<DeliverySeen[]> {
  const [, page] = await readResponse(client.get(`/v1/webhooks/${webhookId}/deliveries?limit=100`));
  return (page as { items: DeliverySeen[] }).items;
}

/** Returns the webhook's only delivery, once it matches `wanted`. */
export function delivered(client: Client, webhookId: number, wanted: object): Promise<DeliverySeen> {
  return vi.waitFor(
    async () => {
      const [one] = await deliveriesOf(client, webhookId);
      expect(one).toMatchObject(wanted);
      return one as DeliverySeen;
    },
    { timeout: 45_000, interval: 50 },
  );
}
