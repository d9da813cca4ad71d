import type { ApplicationScope } from "@/lib/oauth";

/** The texts of pages without script: consent, and the account on networks with many servers. */
export const plainWords = {
  consent: {
    /** What each scope allows an application to do, in plain words. */
    scopes: {
      "accounts.read":
        "See which accounts you have connected, the channels, Pages and boards they can post to, and your name and email address.",
      "media.write": "Upload pictures and videos for you, and see, describe and delete all of your files.",
      "posts.propose":
        "Propose posts, which are published only after you have approved them, read what became of those posts, and see which accounts, channels, Pages and boards you have connected.",
      "posts.read": "Read your scheduled and published posts, your drafts and feeds, and the feedback on your posts.",
      "posts.write":
        "Publish, schedule, change and delete posts in your name, add feeds whose items become posts, and share posts for review.",
      "webhooks.write":
        "Send notifications about your posts and accounts to other services, read them, and change or remove those that you have set up.",
      api: "See your name and email address, read, publish, change and delete your posts, drafts and feeds, see, upload and delete files, disconnect and group your social accounts, change your posting times and the emails you get, and send notifications to other services. It cannot delete your Carillon account, export all of your data, sign you out or change how you sign in.",
    } satisfies { [S in ApplicationScope]: string },

    /** The title of the window. */
    question: (application: string) => `Allow ${application}?`,
    wants: (application: string) => `${application} wants to use your Carillon account`,
    signedInAs: "You are signed in as {email}.",
    /** `who` is one of the three below. */
    registeredBy:
      "{who} registered this application. Carillon has not reviewed it: allow it only if you know and trust whoever runs it.",
    operator: "The operator of this service",
    user: (name: string, email: string) => `The Carillon user “${name}” (${email})`,
    unconfirmedUser: (name: string) => `The Carillon user “${name}” (email address not confirmed)`,
    /** Below the list. `place` is where. */
    takeBack: "You can take this back at any time in {place}.",
    takeBackPlace: "Settings, Connected applications",
    /** Above the list of what its scopes let it do. */
    able: (application: string) => `${application} will be able to`,
    /** `host` is where the application's own page is. */
    afterwards: "It never sees your password. After your choice you go to {host}.",
    allow: "Allow",
    deny: "Deny",

    noLink: "This link does not work",
    nothingAllowed:
      "Nothing was allowed. Go back to the application that sent you here; if it happens again, tell its makers.",
    /** The API's message, without its full stop. */
    said: (message: string) => `${message}.`,
    fromElsewhere: "This form came from another site.",
    unread: "The form could not be read.",
    tooOld: "This form is too old, or was shown to somebody else. Open the link again.",
    neither: "The form says neither allow nor deny.",
    applicationSuspended: (application: string) => `${application} is suspended.`,
    suspended: "Your account is suspended",
    suspendedWhy: "Your account is suspended, so no application can use it.",
    fault: "Something went wrong on our side.",
  },

  connectAccount: {
    connect: (network: string) => `Connect ${network}`,
    yourServer: "You decide on your own server's page, and can take it back at any time.",
    goOn: (network: string) => `Continue with ${network}`,
    /** Above the other way to connect; `password` is the network's name for an app password. */
    orWith: (password: string) => `Or with an ${password}`,
    otherServers: "For servers that cannot ask you in the browser. Carillon does not keep it.",
    connectWith: (password: string) => `Connect with ${password}`,
    backToAccounts: "Back to your accounts",
  },
} as const;
