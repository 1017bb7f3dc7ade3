// What runs beside a page, in a world of its own: `capture` reads the page, `act` helps to act on it, `marks` labels it for
// a picture, `readable` gives its text.
export * from "./capture";
export * from "./act";
export * from "./marks";
export * from "./readable";
