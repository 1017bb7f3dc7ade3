// The types of the functions that the browser crate calls, derived from their declarations in Rust.

import type { PageScript as Declared } from "./generated";

/** A result may be a promise. What a call without a result returns is ignored. */
type Returned<Result> = [Result] extends [null] ? unknown : Result | Promise<Result>;

type Calls = {
  [Name in keyof Declared["calls"]]: (
    call: Declared["calls"][Name]["arguments"],
  ) => Returned<Declared["calls"][Name]["result"]>;
};

export type PageScript = Calls & Declared["functions"];
