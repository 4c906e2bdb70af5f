/** Only waited on, never notified. */
const clock = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread, which does nothing else meanwhile. */
export function sleepSync(ms: number): void {
  Atomics.wait(clock, 0, 0, ms)
}
