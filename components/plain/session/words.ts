/** The texts of signing in and up, of new passwords and of links in mails. */
export const sessionWords = {
  email: "E-mail",
  password: "Password",
  name: "Name",
  /** Beside a field's label. */
  optional: "(optional)",
  passwordHint: "At least 8 characters.",

  signIn: "Sign in",
  forgot: "Forgot your password?",
  newHere: "New here? {create}",
  createAnAccount: "Create an account",
  wrong: "E-mail or password is wrong",
  needsSecondStep: "Your password is right, and your account needs a second step. Sign in here to enter your code.",
  mustWait: "Too many wrong attempts. Wait some minutes, and sign in here.",
  signInHere: "This form came from another site. Sign in here.",

  signUp: "Create your account",
  signUpNext: "Then connect an account and publish your first post.",
  signUpNextSimulated:
    "Then connect an account and publish your first post. Simulated networks are ready, so nothing needs approval.",
  create: "Create account",
  haveOne: "Have an account? {signIn}",
  createHere: "This form came from another site. Create your account here.",

  forgotHow: "Tell us the address of your account, and we send you a link to choose a new one.",
  sendLink: "Send the link",
  backToSignIn: "Back to sign-in",
  noAddress: "E-mail must be an e-mail address",

  lookIntoMail: "Check your inbox",
  linkSent: "If there is an account with {email}, a link to choose a new password is on its way. It works for an hour.",
  nothingCame: "Nothing there after some minutes? Look among the unwanted mail, or {again}.",
  askAgain: "ask again",

  accountDeleted: {
    title: "Your account is being deleted",
    text: "Nothing more is published from it. Your posts, files and permissions are deleted now, which can take a few minutes. What is published stays on the networks.",
  },

  choose: "Choose a new password",
  chooseEnds:
    "It ends every session of your account, on all devices, and every access token. Webhooks stop until you confirm them.",
  passwordIsSet: "Your new password is set",
  everySessionEnded: "Every session has ended. Sign in with the new password.",
  newPassword: "New password",
  setPassword: "Set the password",

  change: "Change your password",
  changeEnds: "This ends your other sessions. You stay signed in here.",
  currentPassword: "Current password",
  isChanged: "Your password is changed",
  isChangedWhy: "Your other sessions have ended.",
  backToSettings: "Back to your settings",

  again: "Confirm that it is you",
  againWhy: "This action needs your password again.",
  signedInAs: "Signed in as {email}.",
  goOn: "Continue",
  wrongPassword: "The password is wrong",

  linkEnded: "This link does not work any more",
  linkEndedWhy: "A link to choose a new password works once, for an hour. Your password is as it was.",
  sendNewLink: "Send a new link",

  unread: "This form could not be read. Try again here.",
  fromElsewhere: "This form came from another site.",

  address: {
    wrongAddress: "This is not the address that Carillon is set to.",
    askedAt:
      "It is set to {ours}, and this page was asked for at {asked}. If that is what your browser shows, signing in leads back here again and again.",
    askedElsewhere:
      "It is set to {ours}, and this page was asked for at another address. If that is what your browser shows, signing in leads back here again and again.",
    goOnAt: (address: string) => `Go on at ${address}`,
    /** For the operator of the service; `setting` and `header` are names. */
    howToSet:
      "You run this service? Set {setting} to the address that people open, with http or https, and start it again. If browsers show the right one already, have your proxy pass {header} on.",
  },

  mail: {
    confirm: "Confirm your e-mail address",
    confirmWhy: "One press, and Carillon can write to you when a post has gone out or needs you.",
    confirmThis: "Confirm this address",
    thankYou: "Thank you",
    isConfirmed: "{email} is confirmed.",
    /** The title of the window that confirms it. */
    confirmed: "Address confirmed",
    goOn: "Go to Carillon",

    linkEnded: "This link does not work any more",
    linkEndedWhy:
      "A link to confirm an address works once, for seven days. If yours is not confirmed yet, Carillon shows so after you sign in, and sends a new link from there.",
    goToSettings: "Go to your settings",

    sent: "Check your inbox",
    sentTo: (email: string) => `A link to confirm ${email} is on its way.`,
    tooOften: "Not so fast",
    tooOftenWhy:
      "Several mails were sent to you in the last hour. Look among the unwanted mail too, or try again later.",

    unsubscribeQuestion: "Unsubscribe?",
    unsubscribe: "Unsubscribe",
    /** `kind` is the subject of one kind of mail. */
    noMore: "You will get no more mails of this kind: {kind}.",
    chooseMails: "Choose what you get",

    subscribedAgain: "You are subscribed again",
    subscribedAgainTitle: "Subscribed again",
    getThese: "You get these mails: {kind}.",
    unsubscribed: "You are unsubscribed",
    unsubscribedTitle: "Unsubscribed",
    getNoMore: "You get no more mails of this kind: {kind}.",
    subscribeAgain: "Subscribe again",

    noSubscription: "This link does not work",
    noSubscriptionWhy: "It may have been cut on its way. You can choose what you get after you sign in.",
  },
} as const;
