import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from '../../../machine/state/private-file.ts'

/** When each source may be asked again, for every process of this user. */
export interface SourceLimits {
  until(source: string): number
  note(source: string, until: number): void
}

/** Longest wait that is believed: a wrong clock elsewhere must not close a source for good. */
const LONGEST_MS = 26 * 3_600_000
const MOST_SOURCES = 100

/** Opens the limits in a directory of ours. A damaged file counts as empty. */
export function openLimits(directory: string, now: () => number = Date.now): SourceLimits {
  const file = join(directory, 'limits.json')
  const untilBySource = new Map<string, number>()
  const load = (): void => {
    for (const [source, until] of Object.entries(readLimits(file)))
      if (typeof until === 'number') untilBySource.set(source, Math.max(untilBySource.get(source) ?? 0, until))
  }
  return {
    until(source) {
      load()
      const until = untilBySource.get(source) ?? 0
      return until > now() ? Math.min(until, now() + LONGEST_MS) : 0
    },
    note(source, until) {
      load()
      untilBySource.set(source, Math.min(Math.max(untilBySource.get(source) ?? 0, until), now() + LONGEST_MS))
      const open = [...untilBySource].filter(([, time]) => time > now()).slice(-MOST_SOURCES)
      try {
        makePrivateDirectory(directory)
        writePrivateFile(file, `${JSON.stringify(Object.fromEntries(open))}\n`)
      } catch {
        // This process still knows it.
      }
    },
  }
}

function readLimits(file: string): object {
  try {
    return Object(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}
