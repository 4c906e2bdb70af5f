import { closeSync } from 'node:fs'
import { sleepSync } from '../../kernel/time.ts'
import { openOwnFile } from '../state/private-file.ts'
import { forwards, type Line } from './lines.ts'
import { segmentsOf } from './segments.ts'

interface OpenSegment {
  readonly name: string
  readonly first?: number
  readonly lines: Iterable<Line>
}

/**
 * Opens the files of a journal at one moment, although another process may write, start a new file or remove an old
 * one.
 */
export function* openSnapshot(dir: string): Generator<OpenSegment> {
  const files = openAll(dir)
  try {
    for (const { fd, ...segment } of files) yield { ...segment, lines: settledLines(fd) }
  } finally {
    for (const { fd } of files) closeSync(fd)
  }
}

interface OpenFile {
  readonly name: string
  readonly first?: number
  readonly fd: number
}

function openAll(dir: string): OpenFile[] {
  for (;;) {
    const files: OpenFile[] = []
    const names = segmentsOf(dir)
    try {
      for (const { path, ...segment } of names) files.push({ ...segment, fd: openOwnFile(path) })
      if (isSame(segmentsOf(dir), names)) return files
    } catch (error) {
      if (isSame(segmentsOf(dir), names)) throw error
    }
    for (const { fd } of files) closeSync(fd)
  }
}

const isSame = (a: readonly { name: string }[], b: readonly { name: string }[]): boolean =>
  a.length === b.length && a.every(({ name }, index) => name === b[index]?.name)

/** A line that is being written looks truncated for a moment, so it is read again before it counts as such. */
function* settledLines(fd: number): Generator<Line> {
  let from = 0
  for (let tries = 0; ; tries++) {
    let cut: Line | undefined
    for (const line of forwards(fd, from)) {
      if (!line.whole) cut = line
      else yield line
      from = line.whole ? line.end : from
    }
    if (!cut) return
    if (tries === 3) {
      yield cut
      return
    }
    sleepSync(1)
  }
}
