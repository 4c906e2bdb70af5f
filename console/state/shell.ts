import { signal } from '@preact/signals'

/** What lies over the page. */
export const overlay = signal<'palette' | 'keys' | undefined>(undefined)

/** A short sentence about what was just done. */
export const notice = signal<{ readonly words: string; readonly isBad: boolean } | undefined>(undefined)

let hiding: ReturnType<typeof setTimeout> | undefined

/** Says what was done. A failure stays until it is closed. */
export function say(words: string, { isBad = false } = {}): void {
  clearTimeout(hiding)
  notice.value = { words, isBad }
  if (!isBad) hiding = setTimeout(() => (notice.value = undefined), 5000)
}
