// Reads the page.
export {};
