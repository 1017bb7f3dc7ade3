// What runs beside a page, in a world of its own: `capture` reads the page, `act` helps to act on it, `marks` labels it for
// a picture, `readable` gives its text, `hand` is for who drives the page by hand, `locate`
// names its elements, `settle` tells when it is at rest.
export * from "./capture";
export * from "./act";
export * from "./marks";
export * from "./readable";
export * from "./hand";
export * from "./locate";
export { flush, strays } from "./settle";
