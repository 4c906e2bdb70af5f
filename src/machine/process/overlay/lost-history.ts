import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { show } from '../../workspace/path.ts'
import type { LayerChange } from './layer-change.ts'
import { lostObjects, type RepositoryParts } from './lost-objects.ts'
import { bytesOf } from './stage-changes.ts'
import { kindAt } from './valid-repository.ts'

/**
 * Returns the history that would be lost if these changes under `.git` landed, in words: reachable objects, the log of
 * a remaining branch, the branch of HEAD. Returns undefined if nothing is lost or git itself dropped it.
 */
export function lostHistory(parts: RepositoryParts, changes: readonly LayerChange[]): string | undefined {
  const { root } = parts
  const changesByPath = new Map(changes.map(one => [one.path, one]))
  const packedReferences = fileAfter('.git/packed-refs')
  return lostReference() ?? lostObjects(parts, changes)

  function lostReference(): string | undefined {
    for (const { type, path } of changes) {
      const [, name] = type === 'absent' ? (/^\.git\/logs\/(HEAD|refs\/.+)$/.exec(path) ?? []) : []
      if (name !== undefined && kindAt(join(root, path)) === 'file' && (name === 'HEAD' || isThere(name)))
        return `the log of ${show(name)} is gone`
    }
    const branch = /^ref: (.+)\n?$/.exec(fileBefore('.git/HEAD'))?.[1]
    if (branch === undefined || changesByPath.has('.git/HEAD') || isThere(branch)) return undefined
    const wasThere = kindAt(join(root, '.git', branch)) === 'file' || isPacked(fileBefore('.git/packed-refs'), branch)
    return wasThere ? `${show(branch)} is gone, and HEAD is on it` : undefined
  }

  function isThere(name: string): boolean {
    const one = changesByPath.get(`.git/${name}`)
    return (one?.type ?? kindAt(join(root, '.git', name))) === 'file' || isPacked(packedReferences, name)
  }

  function fileBefore(path: string): string {
    return kindAt(join(root, path)) === 'file' ? readFileSync(join(root, path), 'latin1') : ''
  }

  function fileAfter(path: string): string {
    const one = changesByPath.get(path)
    return one === undefined ? fileBefore(path) : one.type === 'file' ? bytesOf(one).toString('latin1') : ''
  }
}

const isPacked = (packed: string, name: string): boolean => packed.includes(` ${name}\n`)
