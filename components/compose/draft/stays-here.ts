import { say } from "../../ui/toast";
import { composePageWords } from "../page-words";

/** Says why a post was not saved on the server. Said again, it takes the place of the first notice. */
export function sayItStaysHere(): void {
  say((toast) => toast(composePageWords.staysHere, { id: "stays-here" }));
}
