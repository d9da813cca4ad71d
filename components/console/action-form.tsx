import { Button } from "../ui/button";

type Props = { client: string; action: string; label: string; look: "primary" | "quiet" | "danger" };

/** One button that does one thing to a partner, without script. */
export function ActionForm({ client, action, label, look }: Props) {
  return (
    <form method="post" action={`/console/${client}/do/${action}`}>
      <Button type="submit" look={look}>
        {label}
      </Button>
    </form>
  );
}
