import type { z } from "zod";
import type {
  AccountGroupView,
  AccountOptionsView,
  AccountPlanView,
  AccountView,
  AttentionView,
  ChatView,
  PostCountsView,
  pauseFields,
  ReceiptView,
  ScheduleList,
  ScheduleView,
  SectionView,
  SettingOptionView,
} from "@/lib/api/shapes";
import type { SettingValue } from "../networks/types";

/** The responses of the API, inferred from its own schemas. */
export type ApiAccount = z.output<typeof AccountView>;
export type ApiAccountGroup = z.output<typeof AccountGroupView>;
/** What is planned on an account: its posting times, and the posts that wait. */
export type ApiAccountPlan = z.output<typeof AccountPlanView>;
export type Chat = z.output<typeof ChatView>;
/** A section of a board. */
export type BoardSection = z.output<typeof SectionView>;
export type ApiSettingOption = z.output<typeof SettingOptionView>;
/** What an account may choose at present; a setting that is not listed is free. */
export type ApiAccountOptions = z.output<typeof AccountOptionsView>;

type Attention = z.output<typeof AttentionView>;
type ShownPost<T> = T extends { post: unknown } ? Omit<T, "post"> & { post: ApiSchedule } : T;
/** Something that needs the user. */
export type ApiAttentionItem = ShownPost<Attention["items"][number]>;
export type ApiAttention = Omit<Attention, "items"> & { items: ApiAttentionItem[] };

/** The fields of `GET /v1/me` that the pages use. */
export type Me = z.output<z.ZodObject<typeof pauseFields>>;

/** The schema leaves the settings open. */
type Settings = { type: string; [setting: string]: SettingValue };

type ScheduleOutput = z.output<typeof ScheduleView>;
export type ApiPublication = Omit<ScheduleOutput["publications"][number], "platformSettings"> & {
  platformSettings: Settings;
};
export type ApiPost = ApiPublication["posts"][number];
export type ApiPublicationStatus = ApiPublication["status"];
export type ApiSchedule = Omit<ScheduleOutput, "publications"> & { publications: ApiPublication[] };
export type ApiScheduleStatus = ApiSchedule["overallStatus"];
export type SchedulePage = Omit<z.output<typeof ScheduleList>, "items"> & { items: ApiSchedule[] };

export type ApiPostCounts = z.output<typeof PostCountsView>;

/** The request body that creates or replaces a schedule. Only a draft may omit the time. */
export type ApiNewSchedule = {
  scheduledTime?: string;
  isDraft: boolean;
  publications: {
    socialMediaAccountId: number;
    platformSettings: Settings;
    posts: { content: string; attachmentPaths: string[]; chatId?: string; thumbnailPath?: string }[];
  }[];
};

export type ApiReceipt = z.output<typeof ReceiptView>;
/** One attempt at a publication, with its outcome. */
export type Attempt = ApiReceipt["publications"][number]["story"][number];
