import { getMailPreferences, getQuietHours, presentQuietHours } from "../mail";

/** What is written to somebody by e-mail, and when it waits. */
export async function notificationsOf(userId: string) {
  const quietHours = await getQuietHours(userId);
  return {
    email: await getMailPreferences(userId),
    ...(quietHours ? { quietHours: presentQuietHours(quietHours) } : {}),
  };
}
