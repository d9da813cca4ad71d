import { CheckCircle2, Circle } from "lucide-react";
import { buttonClass } from "../ui/button";
import { Card } from "../ui/card";
import { Link } from "../ui/link";
import { homeWords } from "./words";

export type Step = { title: string; text: string; href: string; action: string; isDone: boolean };

/** The first minutes, one next action at a time. What is done is read from what exists, not remembered apart. */
export function Checklist({ steps }: { steps: Step[] }) {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return (
    <Card className="p-6">
      <h2 className="font-semibold text-lg">{homeWords.checklist}</h2>
      <ol className="mt-4 grid gap-1">
        {steps.map((step, index) => (
          <li
            key={step.title}
            aria-current={index === next ? "step" : undefined}
            className="flex gap-3 rounded-xl p-3 aria-[current=step]:bg-accent-soft"
          >
            {step.isDone ? (
              <CheckCircle2 aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
            )}
            <div>
              <p className={index === next ? "font-semibold" : step.isDone ? "text-muted" : ""}>
                {step.title}
                {step.isDone && <span className="sr-only">{homeWords.done}</span>}
              </p>
              {index === next && (
                <>
                  <p className="mt-1">{step.text}</p>
                  <Link href={step.href} className={buttonClass("primary", "mt-3")}>
                    {step.action}
                  </Link>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
