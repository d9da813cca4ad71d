import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/provider";
import { currentUser } from "@/components/session/signed-in";
import { ConfirmAddress, Shell } from "@/components/shell/shell";
import { areLinkMailsShown } from "@/lib/mail";
import { listVisiblePartners } from "@/lib/partners";

/** Only the frame. Each page checks the session itself, because only the page knows where to return after signing in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user) return children;
  const isStaff = user.role === "staff";
  return (
    <ApiProvider>
      <Shell email={user.email} hasConsole={isStaff || (await listVisiblePartners(user)).length > 0} isStaff={isStaff}>
        {!user.emailConfirmed && <ConfirmAddress email={user.email} isKept={areLinkMailsShown} />}
        {children}
      </Shell>
    </ApiProvider>
  );
}
