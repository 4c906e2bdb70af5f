import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nameToBytes } from '../../machine/workspace/name.ts'
import type { Staging } from '../../machine/workspace/staging.ts'
import type { View } from '../../machine/workspace/view.ts'
import { searchableText } from './pattern/searchable-text.ts'

export interface StagedOverlay {
  /** Reports whether staging replaces the file on disk at this path. */
  hides(path: string): boolean
  /** The paths of staged files. */
  readonly files: readonly string[]
  /** Reports whether a search takes a staged file for text. */
  isText(path: string): boolean
  /** Creates a private directory with these staged files, for a program that needs a directory. */
  materialize(paths: readonly string[]): { readonly path: string; remove(): void }
}

/** Returns what staged changes add to and remove from a search of the disk, or undefined if there are none. */
export function stagedOverlay(staging: Staging, view: View): StagedOverlay | undefined {
  if (staging.isEmpty()) return undefined
  const entries = new Map(staging.entries())
  return {
    hides(path) {
      if (entries.has(path)) return true
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        const above = entries.get(path.slice(0, at))
        if (above !== undefined && above.state.type !== 'directory') return true
      }
      return false
    },
    files: [...entries].flatMap(([path, { state }]) => (state.type === 'file' ? [path] : [])),
    isText(path) {
      const state = entries.get(path)?.state
      return state?.type === 'file' && searchableText(view.bytes(state)) !== undefined
    },
    materialize(paths) {
      const directory = mkdtempSync(join(tmpdir(), 'toolwright-search-'))
      const remove = () => rmSync(directory, { recursive: true, force: true })
      try {
        for (const path of paths) {
          const state = entries.get(path)?.state
          if (state?.type === 'file') put(directory, path, view.bytes(state))
        }
        return { path: directory, remove }
      } catch (error) {
        remove()
        throw error
      }
    },
  }
}

function put(directory: string, path: string, bytes: Buffer): void {
  const at = (name: string) => Buffer.concat([Buffer.from(`${directory}/`), nameToBytes(name) ?? Buffer.from(name)])
  mkdirSync(at(dirname(path)), { recursive: true, mode: 0o700 })
  writeFileSync(at(path), bytes, { mode: 0o600, flag: 'wx' })
}
