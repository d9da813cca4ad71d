/** The texts of the page that asks whether an application may act for somebody, and of its refusals. */

import type { Scope } from "@/lib/oauth";

/** What each scope lets an application do, as one would tell a friend. */
export const scopes: { [S in Scope]: string } = {
  "accounts.read": "See which accounts you have connected, and the channels, Pages and boards they can post to.",
  "media.write": "Upload pictures and videos for you.",
  "posts.read": "Read your scheduled and published posts.",
  "posts.write": "Publish, schedule, change and delete posts in your name.",
  "webhooks.write": "Set up notifications about your posts and accounts to other services.",
  api: "Do everything you can do here: read, publish and delete posts, upload media, and disconnect your accounts.",
};

/** The title of the window. */
export const question = (application: string) => `Allow ${application}?`;
export const wants = (application: string) => `${application} wants to use your Carillon account`;
export const signedInAs = "You are signed in as {email}.";
/** Above the list of what its scopes let it do. */
export const able = (application: string) => `${application} will be able to`;
/** `host` is where the application's own page is. */
export const afterwards = "It never sees your password. After your choice you go to {host}.";
export const allow = "Allow";
export const deny = "Deny";

export const noLink = "This link does not work";
export const nothingAllowed =
  "Nothing was allowed. Go back to the application that sent you here; if it happens again, tell its makers.";
/** What the API says of it, which ends without a full stop. */
export const said = (message: string) => `${message}.`;
export const fromElsewhere = "This form came from another site.";
export const unread = "The form could not be read.";
export const tooOld = "This form is too old, or was shown to somebody else. Open the link again.";
export const neither = "The form says neither allow nor deny.";
export const applicationSuspended = (application: string) => `${application} is suspended.`;
export const suspended = "Your account is suspended";
export const suspendedWhy = "Your account is suspended, so no application can use it.";
export const fault = "Something went wrong on our side.";
