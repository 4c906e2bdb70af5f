/** How long a call waits for an index that is being built; the rest of its time is for the answer. */
export const indexWait = (timeoutMs: number): number => timeoutMs * 0.8
