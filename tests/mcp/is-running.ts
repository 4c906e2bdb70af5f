import { readdirSync, readFileSync } from 'node:fs'

/** Reports whether a program with these words runs anywhere on the machine. */
export const isRunning = (words: string): boolean =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .some(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim() === words
      } catch {
        return false
      }
    })
