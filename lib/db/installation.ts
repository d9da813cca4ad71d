import { eq, type SQL, sql } from "drizzle-orm";
import { db, installation, type Tx } from "./index";

/** SQL condition: publishing is neither paused nor held. Every statement that claims or announces a publication checks it. */
export const isPublishingOpen: SQL = sql.raw(
  "not exists (select from publishing_pause) and not exists (select from installation where held_at is not null)",
);

/** Why publishing is held, since when, and from which instant on publications may have been sent that are unknown here. */
export type PublishingHold = { reason: string; since: string; sincePoint?: string };

/**
 * Holds publishing in all processes at once, because this database may not know about publications that were sent. A pause and
 * a hold are independent: `publishing resume` does not end a hold, only a completed `restore finish` does. A restore calls this
 * on the restored database before anything else uses it. If publishing is held already, the first reason is kept, and the
 * earlier of the two instants.
 * @param reason one sentence, shown on every surface
 * @param sincePoint from when on publications may have been sent; absent: unknown
 */
export async function holdPublishing(reason: string, sincePoint?: Date, tx: Tx = db): Promise<void> {
  const point = sql`${sincePoint?.toISOString() ?? null}::timestamptz`;
  await tx.update(installation).set({
    heldAt: sql`coalesce(${installation.heldAt}, clock_timestamp())`,
    heldReason: sql`coalesce(${installation.heldReason}, ${reason})`,
    heldSincePoint: sql`least(${installation.heldSincePoint}, ${point})`,
  });
}

/**
 * Replaces a hold that began before the database went back in time: the rows still have it, but publishing had gone on after it.
 * The earlier of the two instants is kept.
 */
export async function renewHold(reason: string, sincePoint?: Date, tx: Tx = db): Promise<void> {
  const point = sql`${sincePoint?.toISOString() ?? null}::timestamptz`;
  await tx.update(installation).set({
    ...{ heldAt: sql`clock_timestamp()`, heldReason: reason },
    heldSincePoint: sql`least(${installation.heldSincePoint}, ${point})`,
  });
}

/** Returns why publishing is held; undefined while it is not. */
export async function publishingHold(): Promise<PublishingHold | undefined> {
  const { heldAt, heldReason, heldSincePoint } = await readInstallation();
  if (!heldAt) return undefined;
  const asIso = (instant: string) => new Date(instant).toISOString();
  const sincePoint = heldSincePoint ? { sincePoint: asIso(heldSincePoint) } : {};
  return { reason: heldReason ?? "", since: asIso(heldAt), ...sincePoint };
}

/** Returns the one row of this installation. */
export async function readInstallation(tx: Tx = db): Promise<typeof installation.$inferSelect> {
  const [row] = await tx.select().from(installation).where(eq(installation.id, 1));
  if (!row) throw new Error("the table installation has lost its row");
  return row;
}
