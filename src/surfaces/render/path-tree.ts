import { inert } from '../../kernel/inert.ts'
import { bytesInWords } from './bytes-in-words.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, type Fields } from './shape.ts'

const MARKS: Readonly<Record<string, string>> = { directory: '/', symlink: '@' }

/** Files and directories: a plain list, or branches where what is in a directory is listed with it. */
export function pathTreeLines(entries: readonly Fields[], style: Style): string[] {
  const listed = new Set(entries.map(entry => pathAt(entry) ?? ''))
  const below = Map.groupBy(entries, entry => {
    const parent = parentOf(pathAt(entry) ?? '')
    return listed.has(parent) ? parent : undefined
  })
  const isFlat = below.size === 1
  const root = commonParent(below.get(undefined) ?? [])
  return branches(undefined, '')

  function branches(parent: string | undefined, indent: string): string[] {
    const all = below.get(parent) ?? []
    return all.flatMap((entry, at) => {
      const path = pathAt(entry) ?? ''
      const isLast = at === all.length - 1
      const limb = isFlat ? '' : isLast ? '└─ ' : '├─ '
      const own = `${indent}${limb}${nameOf(path.slice(parent === undefined ? root : parent.length + 1), entry, style)}`
      return [own, ...branches(path, indent + (isFlat ? '' : isLast ? '   ' : '│  '))]
    })
  }
}

function nameOf(name: string, entry: Fields, { paint }: Style): string {
  const type = textAt(entry, 'type') ?? (numberAt(entry, 'depth') === undefined ? 'file' : 'directory')
  const size = numberAt(entry, 'size', 'size_bytes')
  const shown = inert(name) + (MARKS[type] ?? '')
  return `${type === 'directory' ? paint('bold', shown) : shown}${size === undefined ? '' : paint('dim', `  ${bytesInWords(size)}`)}`
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** How much of each path names the directory that was listed. */
function commonParent(entries: readonly Fields[]): number {
  const parents = new Set(entries.map(entry => parentOf(pathAt(entry) ?? '')))
  const [only = ''] = parents
  return parents.size === 1 && only !== '' ? only.length + 1 : 0
}
