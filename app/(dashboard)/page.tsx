import { cookies } from "next/headers";
import { Home } from "@/components/home/home";
import { networkFacts } from "@/components/networks/facts";
import { isStaff, signedIn } from "@/components/session/signed-in";
import { zoneInCookies } from "@/components/shell/preferences";
import { OperatorNotices, VersionNotices } from "@/components/staff/version-notices";
import { zoneOf } from "@/lib/time/zone";

export default async function HomePage() {
  const user = await signedIn("/");
  return (
    <>
      {isStaff(user) && (
        <div className="mb-10 grid gap-3 empty:hidden">
          <OperatorNotices />
          <VersionNotices />
        </div>
      )}
      <Home networks={networkFacts()} userId={user.id} name={user.name} hour={await readersHour()} />
    </>
  );
}

/** The hour on the reader's clock, if the cookies tell the time zone. */
async function readersHour(): Promise<number | undefined> {
  const kept = await cookies();
  const zone = zoneInCookies((name) => kept.get(name)?.value);
  return zone === undefined ? undefined : new Date(Date.now() + zoneOf(zone).offsetAt(Date.now())).getUTCHours();
}
