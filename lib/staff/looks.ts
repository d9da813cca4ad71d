import { db } from "../db";
import { audit } from "../db/audit";

/** Somebody of the staff, who reads what is others' and changes nothing. */
export type Staff = { id: string };

type Look = {
  /** What was looked at: a user's id, a schedule's, a client id. */
  subject: string | number;
  /** The partner whose user or credential it is. */
  partnerId?: string;
  details: { page: string; ownerId?: string };
};

/** Writes down that somebody of the staff looks at what is not theirs: before anything of it is read, so that no look goes unseen. */
export async function noteLook({ id }: Staff, look: Look): Promise<void> {
  await audit(db, { action: "staff.looked", actor: { id }, ...look });
}
