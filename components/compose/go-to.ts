/** Leads to a field: opens what it is folded away in, and puts the cursor there. */
export function goTo(id: string): void {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
