import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { surroundedByTransaction } from "../../db";
import { createSchedule } from "../../schedules";
import { connect, newOwner } from "../../testing";

/** PostgreSQL plans a prepared statement anew for five calls, then once for all, unless that seems to cost too much. */
test("what a create asks and stores is planned once for each connection, not by each request", async () => {
  const owner = await newOwner();
  const { id } = await connect(owner, "X_TWITTER");
  const part = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" as const } };
  const posts = [{ content: "a", attachmentPaths: [] }];
  const input = { scheduledTime: "2031-05-01T12:00:00Z", isDraft: false, publications: [{ ...part, posts }] };
  const plans = await surroundedByTransaction(async (tx) => {
    for (let count = 0; count < 8; count++) await createSchedule(owner, input);
    return tx.execute(
      sql`select name, generic_plans > 0 as once from pg_prepared_statements where name ~ '^schedules'`,
    );
  });
  expect(plans.rows).toEqual(
    expect.arrayContaining(["schedules.facts", "schedules.store"].map((name) => ({ name, once: true }))),
  );
});
