/** The texts of signing in and up, of new passwords and of links in mails. */
export const sessionWords = {
  email: "Email",
  password: "Password",
  name: "Name",
  /** Beside a field's label. */
  optional: "(optional)",
  passwordHint: "At least 8 characters.",
  showPassword: "Show password",
  hidePassword: "Hide password",

  signIn: "Sign in",
  welcomeBack: "Welcome back",
  forgot: "Forgot your password?",
  orWithEmail: "or with your email",
  newHere: "New here? {create}",
  createAnAccount: "Create an account",
  wrong: "Email or password doesn't match",
  needsSecondStep: "Your password is right, and your account needs a second step. Sign in here to enter your code.",
  mustWait: "Too many wrong attempts. Wait a few minutes, then sign in here.",
  signInHere: "This form came from another site. Sign in here.",

  signUp: "Create your account",
  signUpNext: "Then connect an account and publish your first post.",
  signUpNextSimulated:
    "Then connect an account and publish your first post. Simulated networks are ready, so nothing needs approval.",
  create: "Create account",
  haveOne: "Have an account? {signIn}",
  tooManySignUps: (wait: string) => `There were too many attempts with this address. You can try again in ${wait}.`,
  createHere: "This form came from another site. Create your account here.",

  forgotHow: "Enter the email address of your account. We send you a link to choose a new password.",
  sendLink: "Send the link",
  backToSignIn: "Back to sign-in",
  noAddress: "Email must be an email address",

  lookIntoMail: "Check your inbox",
  linkSent: "If there is an account with {email}, we send a link to choose a new password. It works for an hour.",
  nothingCame:
    "Nothing there after a few minutes? Check your spam folder, or {again}. An address gets at most five of these emails an hour.",
  askAgain: "send it again",
  tooManyLinks: (wait: string) =>
    `Too many links were requested for this address. You can request the next one in ${wait}. If an email has come already, use the link in it.`,

  accountDeleted: {
    title: "Your account is being deleted",
    text: "Nothing more is published from it. We are deleting your posts, files and permissions, which can take a few minutes. Published posts stay on the networks.",
  },

  choose: "Choose a new password",
  chooseEnds: "This signs you out on all devices and ends every access token. Webhooks stop until you confirm them.",
  passwordIsSet: "Your new password is set",
  everySessionEnded: "You are signed out everywhere. Sign in with the new password.",
  newPassword: "New password",
  setPassword: "Set the password",

  change: "Change your password",
  changeEnds: "This signs you out on your other devices. You stay signed in here.",
  currentPassword: "Current password",
  isChanged: "Your password is changed",
  isChangedWhy: "You are signed out on your other devices.",
  backToSettings: "Back to your settings",

  again: "Confirm that it's you",
  againWhy: "This action needs your password again.",
  signedInAs: "Signed in as {email}.",
  goOn: "Continue",
  wrongPassword: "The password doesn't match",

  linkEnded: "This link has expired",
  linkEndedWhy: "A link to choose a new password works once, for an hour. Your password has not changed.",
  sendNewLink: "Send a new link",
  notSet: "Your password has not changed",

  unread: "We could not read this form. Try again here.",
  linkUnread: "We could not read this form.",
  openLinkAgain: "Open the link in the email again.",
  fromElsewhere: "This form came from another site.",

  address: {
    wrongAddress: "This is not the address that Carillon is set to.",
    askedAt:
      "It is set to {ours}, and this page was asked for at {asked}. If that is what your browser shows, signing in leads back here again and again.",
    askedElsewhere:
      "It is set to {ours}, and this page was asked for at another address. If that is what your browser shows, signing in leads back here again and again.",
    goOnAt: (address: string) => `Continue at ${address}`,
    /** For the operator of the service; `setting` and `header` are names. */
    howToSet:
      "You run this service? Set {setting} to the address that people open, with http or https, and start it again. If browsers show the right one already, have your proxy pass {header} on.",
  },

  mail: {
    confirm: "Confirm your email address",
    confirmWhy: "Then Carillon can write to you when a post is published or needs attention.",
    confirmThis: "Confirm this address",
    thankYou: "Thank you",
    isConfirmed: "{email} is confirmed.",
    /** The title of the window that confirms it. */
    confirmed: "Address confirmed",
    goOn: "Go to Carillon",

    notConfirmed: "Your address is not confirmed yet",

    linkEnded: "This link has expired",
    linkEndedWhy:
      "A link to confirm an address works once, for seven days. If yours is not confirmed yet, sign in and send a new link from there.",
    goToSettings: "Go to your settings",

    otherAccount: "This link is for another account",
    otherAccountWhy:
      "Two accounts were created with this email address. You are signed in to one of them, and this link confirms the other one. Nothing was changed.",
    otherAccountOwn:
      "To confirm the account that you are signed in to, use the link in its own email, or send a new one from your settings. The emails say when each account was created.",
    otherAccountThat:
      "If you created the other account too and want to keep that one, sign out first and press the link again.",

    taken: "This address is confirmed by another account",
    takenWhy:
      "Another Carillon account has this email address and confirmed it first, so this account cannot confirm it too. Nothing was changed, and nothing in either account was lost.",
    takenSignIn:
      "To use the account with the confirmed address, sign in with its password, or choose a new one: {forgot}.",
    takenForgot: "Forgot your password?",
    takenKeep:
      "To keep the other account instead, delete the account with the confirmed address in its settings. Then press the link in this email again, or send a new one.",

    sent: "Check your inbox",
    sentTo: (email: string) =>
      `We are sending an email to ${email}. If nothing arrives within a few minutes, check your spam folder, or send it again.`,
    tooOften: "Too many emails",
    tooOftenWhy: (wait: string) =>
      `Too many emails to this address were requested. You can send the next one in ${wait}. If one has come already, use that one: it may be in your spam folder.`,

    unsubscribeQuestion: "Unsubscribe?",
    unsubscribe: "Unsubscribe",
    /** `kind` is the subject of one kind of mail. */
    noMore: "You will get no more emails of this kind: {kind}.",
    chooseMails: "Choose your notifications",

    subscribedAgain: "You are subscribed again",
    subscribedAgainTitle: "Subscribed again",
    getThese: "You get these emails: {kind}.",
    unsubscribed: "You are unsubscribed",
    unsubscribedTitle: "Unsubscribed",
    getNoMore: "You get no more emails of this kind: {kind}.",
    subscribeAgain: "Subscribe again",

    noSubscription: "This link does not work",
    noSubscriptionWhy: "Part of it may be missing. You can choose your notifications after you sign in.",
  },
} as const;
