/** Returns the message of anything that was thrown, also of an object that cannot be turned into text. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof Error) return cause.message
  return typeof cause === 'object' && cause !== null ? 'something that is no Error was thrown' : String(cause)
}
