/** The texts where a page was opened at another address than the one that this service is set to. */

export const wrongAddress = "This is not the address that Carillon is set to.";
export const askedAt =
  "It is set to {ours}, and this page was asked for at {asked}. If that is what your browser shows, signing in leads back here again and again.";
export const askedElsewhere =
  "It is set to {ours}, and this page was asked for at another address. If that is what your browser shows, signing in leads back here again and again.";
export const goOnAt = (address: string) => `Go on at ${address}`;
/** For whoever runs the service; `setting` and `header` are names. */
export const howToSet =
  "You run this service? Set {setting} to the address that people open, with http or https, and start it again. If browsers show the right one already, have your proxy pass {header} on.";
