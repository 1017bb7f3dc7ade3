//! Model providers behind one trait: wire formats, retry, usage, cost.
