import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { show } from '../../workspace/path.ts'
import { hardenedGit } from './hardened-git.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'
import { kindAt } from './valid-repository.ts'
import { writeRepository } from './write-repository.ts'

const PATIENCE_MS = 60_000

interface HistoryParts {
  readonly root: string
  /** Directory of ours in which the resulting repository is assembled. */
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the history that would be lost if these changes under `.git` landed, in words: reachable objects, the log of
 * a remaining branch, the branch of HEAD. Returns undefined if nothing is lost or git itself dropped it.
 */
export function lostHistory(parts: HistoryParts, made: readonly LayerChange[]): string | undefined {
  const { root } = parts
  const changed = new Map(made.map(one => [one.path, one]))
  const packed = fileAfter('.git/packed-refs')
  return lostReference() ?? lostObjects(parts, made)

  function lostReference(): string | undefined {
    for (const { type, path } of made) {
      const [, name] = type === 'absent' ? (/^\.git\/logs\/(HEAD|refs\/.+)$/.exec(path) ?? []) : []
      if (name !== undefined && kindAt(join(root, path)) === 'file' && (name === 'HEAD' || isThere(name)))
        return `the log of ${show(name)} is gone`
    }
    const branch = /^ref: (.+)\n?$/.exec(fileBefore('.git/HEAD'))?.[1]
    if (branch === undefined || changed.has('.git/HEAD') || isThere(branch)) return undefined
    const stood = kindAt(join(root, '.git', branch)) === 'file' || isPacked(fileBefore('.git/packed-refs'), branch)
    return stood ? `${show(branch)} is gone, and HEAD is on it` : undefined
  }

  function isThere(name: string): boolean {
    const one = changed.get(`.git/${name}`)
    return (one?.type ?? kindAt(join(root, '.git', name))) === 'file' || isPacked(packed, name)
  }

  function fileBefore(path: string): string {
    return kindAt(join(root, path)) === 'file' ? readFileSync(join(root, path), 'latin1') : ''
  }

  function fileAfter(path: string): string {
    const one = changed.get(path)
    return one === undefined ? fileBefore(path) : one.type === 'file' ? bytesOf(one).toString('latin1') : ''
  }
}

const isPacked = (packed: string, name: string): boolean => packed.includes(` ${name}\n`)

/** Files besides the objects that git needs to find them. */
const LOOKED_UP = /^\.git\/objects\/(info\/|pack\/(?!pack-[0-9a-f]+\.(pack|idx)$))/

function lostObjects(parts: HistoryParts, made: readonly LayerChange[]): string | undefined {
  const loses = made.some(({ type, path }) =>
    type === 'absent' ? path.startsWith('.git/objects/') : type === 'file' && LOOKED_UP.test(path),
  )
  const leads = made.some(
    ({ type, path }) => type === 'file' && /^\.git\/(refs\/.+|packed-refs|HEAD|[A-Z_]+_HEAD)$/.test(path),
  )
  if (!loses && !leads) return undefined
  const { root, directory, env } = parts
  const place = join(directory, 'history')
  try {
    writeRepository(root, made, place, loses)
    const known = loses ? undefined : tipsOf(root, env)
    const args = loses ? EVERYTHING : ['rev-list', '--objects', '--quiet', '--all', '--stdin', ...promised(root)]
    const { status } = hardenedGit(place, args, known, env, { timeoutMs: PATIENCE_MS })
    if (status === 0) return undefined
    return status === null
      ? `the check for missing objects took longer than ${PATIENCE_MS / 1000} s`
      : 'objects that its references lead to would be missing'
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** All roots that git protects from pruning. */
const EVERYTHING = ['rev-list', '--objects', '--quiet', '--all', '--reflog', '--indexed-objects']

/** Options that exclude objects available from another repository. */
function promised(root: string): readonly string[] {
  const config = join(root, '.git/config')
  const text = kindAt(config) === 'file' ? readFileSync(config, 'latin1') : ''
  return /promisor|partialclone/i.test(text) ? ['--exclude-promisor-objects'] : []
}

/** Returns the previous tips of the references. Everything behind them is complete. */
function tipsOf(root: string, env: HistoryParts['env']): Buffer {
  const { stdout } = hardenedGit(root, ['for-each-ref', '--format=^%(objectname)'], undefined, env)
  return stdout
}
