// Helps to act on the page.
export {};
