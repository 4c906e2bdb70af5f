/** Makes a call when the first fact asks for it; all facts of one printed block judge the same answer. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}
