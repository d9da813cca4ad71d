/** The texts of the form that says how a partner's connect pages look. */

export const name = "Name";
/** `partner` is the name that was given to the partner here. */
export const nameHint = (partner: string) => `As your users know you; otherwise ${partner}.`;
export const accent = "Accent colour";
export const accentHint = "Such as #0b655c, for light pages.";
export const accentDark = "Accent colour, dark";
export const accentDarkHint = "Otherwise made from the other.";
export const language = "Language";
export const languageHint = "Otherwise each person's browser decides.";
/** The language that the person's browser asks for. */
export const browsers = "The browser's";
/** Each as it calls itself. */
export const languages: { [language: string]: string } = { en: "English", de: "Deutsch" };
export const wayBack = "Way back";
export const wayBackHint = "Where “Back to …” leads: https, or a link of your app.";
export const logo = "Logo";
export const logoHint = "An image of at most 1 MB, about five times as wide as high. Shown once it is saved.";
export const withoutLogo = "Take the logo away";
export const save = "Save";

export const preview = "Preview";
export const previewWhat = "A person who chose not to connect sees this, light or dark as their system is.";
/** What the frame with the preview is called by readers of the screen. */
export const previewFrame = "Preview of a connect page";

/** Begins with the field's name, as the API says it. */
export const logoTooLarge = "logo must have at most 1 MB";
export const unread = "The form could not be read";
