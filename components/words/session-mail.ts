/** The texts of the pages that links in mails lead to: to confirm an address, and to get no more mails of a kind. */

export const confirm = "Confirm your e-mail address";
export const confirmWhy = "One press, and Carillon can write to you when a post has gone out or needs you.";
export const confirmThis = "Confirm this address";
export const thankYou = "Thank you";
export const isConfirmed = "{email} is confirmed.";
/** The title of the window that thanks. */
export const confirmed = "Address confirmed";
export const goOn = "Go to Carillon";

export const linkEnded = "This link does not work any more";
export const linkEndedWhy =
  "A link to confirm an address works once, for seven days. If yours is not confirmed yet, Carillon shows so after you sign in, and sends a new link from there.";
export const goToSettings = "Go to your settings";

export const sent = "Look into your mail";
export const sentTo = (email: string) => `A link to confirm ${email} is on its way.`;
export const tooOften = "Not so fast";
export const tooOftenWhy =
  "Several mails were sent to you in the last hour. Look among the unwanted mail too, or try again later.";

export const unsubscribeQuestion = "Unsubscribe?";
export const unsubscribe = "Unsubscribe";
/** `kind` is what mails of one kind are about. */
export const noMore = "You will get no more mails of this kind: {kind}.";
export const chooseMails = "Choose what you get";

export const subscribedAgain = "You are subscribed again";
export const subscribedAgainTitle = "Subscribed again";
export const getThese = "You get these mails: {kind}.";
export const unsubscribed = "You are unsubscribed";
export const unsubscribedTitle = "Unsubscribed";
export const getNoMore = "You get no more mails of this kind: {kind}.";
export const subscribeAgain = "Subscribe again";

export const noSubscription = "This link does not work";
export const noSubscriptionWhy = "It may have been cut on its way. You can choose what you get after you sign in.";
