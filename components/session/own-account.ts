import { notFound } from "next/navigation";
import { type Account, getAccount } from "@/lib/accounts";
import { NotFound } from "@/lib/errors";
import { signedIn } from "./signed-in";

/** The signed-in user's account with the id in the page's address; otherwise a 404 page. */
export async function ownAccount(id: string, below: string): Promise<Account> {
  const user = await signedIn(`/accounts/${id}${below}`);
  if (!/^\d{1,15}$/.test(id)) notFound();
  try {
    return await getAccount(user.id, Number(id));
  } catch (error) {
    if (error instanceof NotFound) notFound();
    throw error;
  }
}
