/** How a call waits for something that has to load before it can answer. */
export interface Loading {
  /** The longest wait. */
  readonly ms: number
  /** Stops the call's timeout until the returned function is called. */
  readonly pause: () => () => void
}

/** Runs work that loads something; it takes no time of the call. */
export async function whileLoading<T>({ pause }: Pick<Loading, 'pause'>, work: () => Promise<T>): Promise<T> {
  const resume = pause()
  try {
    return await work()
  } finally {
    resume()
  }
}

/** How the user can allow more. */
export const MORE_LOADING = '"loadMs" of the configuration'

/** A person sees what they wait for after this time. */
export const SHOWN_AFTER_MS = 1_000
