// The type that the functions for the browser have: made from their declarations in Rust.

import type { PageScript as Declared } from "./generated";

/** A result may be promised; of a call without one nobody looks at what it returns. */
type Returned<Result> = [Result] extends [null] ? unknown : Result | Promise<Result>;

type Calls = {
  [Name in keyof Declared["calls"]]: (
    call: Declared["calls"][Name]["arguments"],
  ) => Returned<Declared["calls"][Name]["result"]>;
};

export type PageScript = Calls & Declared["functions"];
