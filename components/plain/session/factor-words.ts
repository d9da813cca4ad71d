/** The texts of the second step of signing in, of authenticator apps, recovery codes and passkeys. */
export const factorWords = {
  step: {
    title: "Enter your code",
    how: "Your password is right. Now enter the six digits from your authenticator app, or one of your recovery codes.",
    code: "Code",
    goOn: "Sign in",
    usePasskey: "Use a passkey instead",
    startAgain: "Start again",
    wrong: "The code is wrong, or it was used before. Wait for the next one and enter that.",
    expired: "That took more than ten minutes. Enter your password again.",
  },

  passkey: {
    signIn: "Sign in with a passkey",
    how: "Your browser asks you to unlock the passkey, for example with your fingerprint or your PIN.",
    press: "Use a passkey",
    backToPassword: "Sign in with your password",
    useCode: "Enter a code instead",
    wrong: "This passkey does not sign in here. Try another one, or sign in with your password.",
    needsPassword:
      "Your password was reset after this passkey was added. Sign in with your new password once and use the passkey as the second step. After that, it signs in by itself again.",
    unsupported: "This browser does not support passkeys on this page. Update it, or use another way to sign in.",
    stopped: "Nothing happened: the browser ended the request, or no passkey was chosen. You can try again.",
    needsScript: "Passkeys need JavaScript, which is switched off in this browser. Everything else works without it.",
  },

  newPasskey: {
    title: "Add a passkey",
    how: "A passkey signs you in with your fingerprint, your face or a PIN, without a password. Your device or password manager keeps it.",
    alsoStep: "After you add one, your password alone is no longer enough: a passkey or a recovery code is needed too.",
    name: "Name",
    nameHint: "So that you recognise it later, for example “Laptop”.",
    defaultName: "Passkey",
    add: "Add a passkey",
    failed: "The passkey was not added. Try again.",
  },

  authenticator: {
    title: "Set up your authenticator app",
    scan: "Scan this picture with an authenticator app on your phone.",
    picture: "QR code for the authenticator app",
    orType: "Or type this key into the app:",
    thenCode: "Then enter the six digits that the app shows.",
    code: "Code",
    turnOn: "Turn on",
    wrong: "The code does not match. Check that the clock of your phone is right, and enter the current code.",
    isOn: "An authenticator app is set up already",
    isOnWhy: "To use another app, turn it off in your settings first.",
  },

  recovery: {
    title: "Your recovery codes",
    how: "Each code signs you in once if you lose your phone or your passkey. Keep them in a safe place: they are shown only now.",
    replaced: "Earlier recovery codes no longer work.",
    saved: "I have saved them",
  },

  backToSettings: "Back to your settings",
  unread: "This form could not be read. Try again here.",
  wait: (wait: string) => `Too many wrong attempts. You can try again in ${wait}.`,
  seconds: (seconds: number) => (seconds === 1 ? "1 second" : `${seconds} seconds`),
  minutes: (minutes: number) => (minutes === 1 ? "1 minute" : `${minutes} minutes`),
} as const;

/** How long to wait, in the largest useful unit: `15 seconds`. */
export function waitTime(seconds: number): string {
  return seconds < 120 ? factorWords.seconds(seconds) : factorWords.minutes(Math.ceil(seconds / 60));
}

/** A sentence that says how long to wait. */
export function waitText(seconds: number): string {
  return factorWords.wait(waitTime(seconds));
}
