type Props = {
  /** By which the field names it. */
  id: string;
  text: string | undefined;
};

/** What is wrong with a field, beside it. */
export function FieldError({ id, text }: Props) {
  if (!text) return null;
  return (
    <p id={id} role="alert" className="wrap-anywhere text-sm text-wrong">
      {text}
    </p>
  );
}
