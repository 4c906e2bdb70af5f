import { nameFromBytes } from '../../workspace/name.ts'
import { show } from '../../workspace/path.ts'
import { stricter } from './patch-error.ts'
import { toText } from './byte-lines.ts'

/** Converts a file name of a patch (bytes) to a workspace path. Refuses every name that could lead elsewhere. */
export function patchPath(name: string, at: number): string {
  const why = problemOf(name)
  if (why !== undefined)
    throw stricter('path', at, `the file name ${show(toText(name))} ${why}`, 'Name files relative to the workspace.')
  return nameFromBytes(Buffer.from(name, 'latin1'))
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'is empty'
  if (name.length > 4096) return 'is longer than 4096 bytes'
  if (name.includes('\0')) return 'has a NUL character in it'
  if (name.startsWith('/')) return 'is absolute'
  const parts = name.split('/')
  if (parts.includes('..')) return "goes up with '..'"
  if (parts.includes('.')) return "has a '.' component"
  return parts.includes('') ? 'has an empty component' : undefined
}

/** Returns the directories that a path lies in, outermost first. */
export const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/'))
