// Null where it cannot be done: storage may be closed, and what is read be damaged.
export function tried(run) {
  try {
    return run();
  } catch {
    return null;
  }
}
