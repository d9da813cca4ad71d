import type { OwnProduct } from "../../setup/product";
import type { Answer } from "../http";
import type { Mirror } from "./mirror";
import type { Canary, Trace } from "./search";

/** The secrets that were handed over, and every answer that must not contain them. */
export class Journey {
  readonly canaries: Canary[] = [];
  readonly traces: Trace[] = [];
  constructor(
    readonly product: OwnProduct,
    readonly mirror: Mirror,
  ) {}

  secret(name: string, secret: string): void {
    this.canaries.push({ name, secret });
  }

  /** Records an answer that must contain no secret. */
  async ask(what: string, answer: Promise<Answer>): Promise<Answer> {
    const came = await answer;
    this.traces.push({ where: `the answer to ${what}`, text: `${JSON.stringify(came.headers)}\n${came.text}` });
    return came;
  }
}
