import { z } from "zod";

/** `platformSettings` of Telegram: `type` and nothing else (SPEC). */
export const settings = z.strictObject({});

export type TelegramSettings = z.output<typeof settings>;
