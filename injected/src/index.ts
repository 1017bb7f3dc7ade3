// What runs beside a page, in a world of its own: `capture` reads the page, `act` helps to act on it.
export * from "./capture";
export * from "./act";
