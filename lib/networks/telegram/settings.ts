import { z } from "zod";

/** Telegram's `platformSettings` contain only `type` (SPEC). */
export const settings = z.strictObject({});

export type TelegramSettings = z.output<typeof settings>;
