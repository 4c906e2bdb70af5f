import { posix } from 'node:path'
import { sanitize } from '../../kernel/sanitize.ts'
import { formatBytes } from './format-bytes.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, type Fields } from './shape.ts'

const MARKS: Readonly<Record<string, string>> = { directory: '/', symlink: '@' }

/** Renders files and directories: a list of paths, or branches if directories list their contents. */
export function pathTreeLines(entries: readonly Fields[], style: Style): string[] {
  const listedPaths = new Set(entries.map(entry => pathAt(entry) ?? ''))
  const below = Map.groupBy(entries, entry => {
    const parent = parentOf(pathAt(entry) ?? '')
    return listedPaths.has(parent) ? parent : undefined
  })
  const isFlat = below.size === 1
  return branches(undefined, '')

  function branches(parent: string | undefined, indent: string): string[] {
    const all = below.get(parent) ?? []
    return all.flatMap((entry, at) => {
      const path = pathAt(entry) ?? ''
      const isLast = at === all.length - 1
      const limb = isFlat ? '' : isLast ? '└─ ' : '├─ '
      const branchLine = `${indent}${limb}${nameOf(parent === undefined ? path : posix.basename(path), entry, style)}`
      return [branchLine, ...branches(path, indent + (isFlat ? '' : isLast ? '   ' : '│  '))]
    })
  }
}

function nameOf(name: string, entry: Fields, { paint }: Style): string {
  const type = textAt(entry, 'type') ?? (numberAt(entry, 'depth') === undefined ? 'file' : 'directory')
  const size = numberAt(entry, 'size', 'size_bytes')
  const markedName = sanitize(name) + (MARKS[type] ?? '')
  return `${type === 'directory' ? paint('bold', markedName) : markedName}${size === undefined ? '' : paint('dim', `  ${formatBytes(size)}`)}`
}

/** Returns the parent, also of paths that lead upwards: the parent of `.` is `..`. */
const parentOf = (path: string): string => posix.join(path, '..')
