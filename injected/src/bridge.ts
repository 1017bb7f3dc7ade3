// The type that the functions for the browser have: made from their declarations in Rust.

import type { PageScript as Declared } from "./generated";

/** Of a call without a result nobody looks at what it returns. */
type Returned<T> = [T] extends [null] ? void : T;

type Calls = { [Name in keyof Declared["calls"]]: (call: Declared["calls"][Name]["arguments"]) => Returned<Declared["calls"][Name]["result"]> | Promise<Returned<Declared["calls"][Name]["result"]>> };

export type PageScript = Calls & Declared["functions"];
