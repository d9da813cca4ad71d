import type { ReactNode } from "react";
import { ApiProvider } from "@/components/api/provider";
import { currentUser } from "@/components/session/signed-in";
import { ConfirmAddress, Shell } from "@/components/shell/shell";
import { areLinkMailsShown } from "@/lib/mail";
import { listVisiblePartners } from "@/lib/partners";
import { endOfLog } from "@/lib/webhooks";

/** Only the frame. Each page checks the session itself, because only the page knows where to return after signing in. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (!user) return children;
  const isStaff = user.role === "staff";
  const [place, partners] = await Promise.all([endOfLog(), isStaff ? [] : listVisiblePartners(user)]);
  return (
    <ApiProvider since={place.join(".")}>
      <Shell email={user.email} hasConsole={isStaff || partners.length > 0} isStaff={isStaff}>
        {!user.emailConfirmed && <ConfirmAddress email={user.email} isKept={areLinkMailsShown} />}
        {children}
      </Shell>
    </ApiProvider>
  );
}
