import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { jobs, releaseAll } from "../../worker";
import { db, publications, schedules } from "../db";
import { startWorker } from "../jobs";
import { dispatch, rescueLoop } from "../schedules";
import { type Client, readResponse } from "./owners";

/** Runs a worker while the tests of a file run. Workers of other files may take its jobs, as in production. */
export function withWorker(): void {
  let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
  beforeAll(async () => {
    worker = await startWorker({ jobs, duties: [dispatch()], loops: [rescueLoop], releaseClaims: releaseAll });
  });
  afterAll(() => worker?.stop());
}

export type Seen = {
  id: number;
  overallStatus: string;
  scheduledTime: string;
  publications: {
    id: number;
    status: string;
    platformSettings: { [name: string]: unknown };
    firstComment?: { status: string; networkCommentId?: string; permalink?: string; error?: string };
    posts: {
      id: number;
      status: string;
      content?: string;
      attachmentPaths?: string[];
      networkPostId?: string;
      permalink?: string;
      publishedTime?: string;
      error?: string;
    }[];
  }[];
};

/** Creates a schedule that is due now or at the given time. */
export async function schedule(client: Client, publications: object[], at = new Date()): Promise<Seen> {
  const [status, body] = await readResponse(
    client.post("/v1/posts", { scheduledTime: at.toISOString(), publications }),
  );
  if (status !== 201) throw new Error(`the schedule was not accepted: ${JSON.stringify(body)}`);
  return body as Seen;
}

/** Makes a later schedule due now, after the test has prepared everything. */
export async function letDue({ id }: Pick<Seen, "id">): Promise<void> {
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
  await db.update(publications).set({ dueAt: sql`now()` }).where(eq(publications.scheduleId, id));
}

/** A time at which nothing becomes due before the test has ended. */
export const inAnHour = () => new Date(Date.now() + 3_600_000);

export async function read(client: Client, id: number): Promise<Seen> {
  return (await readResponse(client.get(`/v1/posts/${id}`)))[1] as Seen;
}

/** Returns the schedule once it has one of these statuses. Waits in the database, which is cheaper than calls of the API. */
export function withStatus<T extends { overallStatus: string }>(
  client: Client,
  id: number,
  statuses: string[],
  timeout: number,
): Promise<T> {
  return vi.waitFor(
    async () => {
      const [row] = await db.select({ status: schedules.status }).from(schedules).where(eq(schedules.id, id));
      expect(statuses).toContain(row?.status);
      const seen = (await readResponse(client.get(`/v1/posts/${id}`)))[1] as T;
      expect(statuses, JSON.stringify(seen)).toContain(seen.overallStatus);
      return seen;
    },
    { timeout, interval: 100 },
  );
}

/** Returns the schedule once it has ended. */
export function settled(client: Client, id: number, timeout = 50_000): Promise<Seen> {
  return withStatus(client, id, ["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"], timeout);
}

/** In how many seconds a worker claims the publication; undefined if it is not due. */
export async function dueIn(publicationId: number): Promise<number | undefined> {
  const seconds = sql<number | null>`extract(epoch from ${publications.dueAt} - clock_timestamp())::float8`;
  const [row] = await db.select({ seconds }).from(publications).where(eq(publications.id, publicationId));
  return row?.seconds ?? undefined;
}

/** Removes the publication's due time, so that no worker claims it. */
export async function forget(publicationId: number): Promise<void> {
  await db.update(publications).set({ dueAt: null }).where(eq(publications.id, publicationId));
}

/** The number of failed attempts. Waiting for Retry-After does not count. */
export async function attemptsOf(publicationId: number): Promise<number | undefined> {
  const [row] = await db.select().from(publications).where(eq(publications.id, publicationId));
  return row?.attempts;
}
