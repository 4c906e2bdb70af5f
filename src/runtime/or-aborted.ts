/** Waits until work is settled, or until its caller cancels. */
export async function orAborted(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return void (await work)
  const { promise, resolve } = Promise.withResolvers<void>()
  const onAbort = (): void => resolve()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
