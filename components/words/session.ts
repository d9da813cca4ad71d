/** The texts of the pages on which people sign in, sign up and choose a new password. */

export const email = "E-mail";
export const password = "Password";
export const name = "Name";
/** Beside a field's label. */
export const optional = "(optional)";
export const passwordHint = "At least 8 characters.";

export const signIn = "Sign in";
export const forgot = "Forgot your password?";
export const newHere = "New here? {create}";
export const createAnAccount = "Create an account";
export const wrong = "E-mail or password is wrong";
export const signInHere = "This form came from another site. Sign in here.";
export const passwordSet = "Your new password is set. Sign in with it.";

export const signUp = "Create your account";
export const signUpNext = "Then connect an account and publish your first post.";
export const signUpNextSimulated =
  "Then connect an account and publish your first post. Simulated networks are ready, so nothing needs approval.";
export const create = "Create account";
export const haveOne = "Have an account? {signIn}";
export const createHere = "This form came from another site. Create your account here.";

export const forgotHow = "Tell us the address of your account, and we send you a link to choose a new one.";
export const sendLink = "Send the link";
export const backToSignIn = "Back to sign-in";
export const noAddress = "E-mail must be an e-mail address";

export const lookIntoMail = "Look into your mail";
export const linkSent =
  "If there is an account with {email}, a link to choose a new password is on its way. It works for an hour.";
export const nothingCame = "Nothing there after some minutes? Look among the unwanted mail, or {again}.";
export const askAgain = "ask again";

export const choose = "Choose a new password";
export const chooseEnds =
  "It ends every session of your account, on all devices. Applications that you allowed keep their access.";
export const newPassword = "New password";
export const setPassword = "Set the password";

export const linkEnded = "This link does not work any more";
export const linkEndedWhy = "A link to choose a new password works once, for an hour. Your password is as it was.";
export const sendNewLink = "Send a new link";

export const unread = "This form could not be read. Try again here.";
export const fromElsewhere = "This form came from another site.";
