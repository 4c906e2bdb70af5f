import { readdirSync, statSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import type { Hides } from '../../../kernel/hides.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { join } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import { layerPath } from './layer-path.ts'

interface Seen {
  readonly mtimeNs: bigint
  readonly hidden: readonly string[]
  readonly directories: readonly string[]
}

/** What one workspace's directories held when they were last looked at. */
export type HiddenMemory = Map<string, Seen>

/** Large, made by programs, and never where somebody keeps what others must not read; walked only where a rule names them. */
const LARGE = new Set(['node_modules', '.git', '.venv', '__pycache__', '.tox', '.gradle', '.cache', '.next', '.nuxt'])
const MOST = 2_000_000
const SETTLED_NS = 100_000_000n

/** The files and directories that the rules keep from a command, found by name; a directory that did not change is not read again. */
export function hiddenPaths(root: Root, hides: Hides, memory: HiddenMemory): string[] {
  const found: string[] = []
  let count = 0
  descend('.')
  return found

  function descend(directory: string): void {
    const seen = look(directory)
    if (seen === undefined) return
    found.push(...seen.hidden)
    for (const inner of seen.directories) descend(inner)
  }

  function look(directory: string): Seen | undefined {
    const place = layerPath(`/proc/self/fd/${root.fd}/.`, directory)
    const mtimeNs = statSync(place, { bigint: true, throwIfNoEntry: false })?.mtimeNs
    if (mtimeNs === undefined) return undefined
    const known = memory.get(directory)
    if (known?.mtimeNs === mtimeNs) return known
    const hidden: string[] = []
    const directories: string[] = []
    for (const entry of readdirSync(place, { withFileTypes: true, encoding: 'buffer' })) {
      if (++count > MOST) throw tooMany()
      const name = nameFromBytes(entry.name)
      const path = join(directory, name)
      if (hides.matches(path) || (entry.isDirectory() && hides.covers(path))) hidden.push(path)
      else if (entry.isDirectory() && hides.reaches(path) && (!LARGE.has(name) || hides.names(path)))
        directories.push(path)
    }
    const fresh = { mtimeNs, hidden, directories }
    // What changed a moment ago may change again within the same tick of the clock.
    if (BigInt(Date.now()) * 1_000_000n - mtimeNs > SETTLED_NS) memory.set(directory, fresh)
    return fresh
  }
}

const tooMany = (): ToolError =>
  new ToolError('unavailable', 'There are too many files to find those that a rule keeps from commands', {
    hint: 'Write the rule so that it names the places, for example config/.env* in place of **/.env*',
  })
