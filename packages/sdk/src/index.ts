export type { CallOptions, ItemOf, ListPath, Result, Schemas } from "./calls";
export { Carillon, type CarillonOptions, type ConnectionOptions, type TokenSource, type WaitOptions } from "./client";
export { CarillonPartner, type PartnerOptions, type PartnerUser } from "./partner";
export { CarillonError, type Problem } from "./problems";
export type { UploadOptions } from "./upload";
export type { Waiting } from "./wait";
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from "./webhook";
