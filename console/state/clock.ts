import { signal } from '@preact/signals'

/** The time, to the second, for ages that count up. */
export const now = signal(Date.now())

export function startClock(): void {
  setInterval(() => (now.value = Date.now()), 1000)
}
