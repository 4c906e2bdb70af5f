import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openRoot } from '../../workspace/root.ts'
import { createStaging } from '../../workspace/staging.ts'
import { createView } from '../../workspace/view.ts'
import type { SecondOverlay } from '../sandbox/types.ts'
import { openLayer } from './layer.ts'
import type { LayerChange } from './layer-change.ts'
import { readUpper } from './read-upper.ts'
import { isShared, type PointedRepository } from './repository-place.ts'
import { bytesOf } from './stage-changes.ts'
import type { PointedChanges } from './submodules.ts'
import { kindAt } from './valid-repository.ts'

/** Repository of a linked work tree or a submodule, outside the workspace. */
export interface LinkedPlace {
  readonly gitDir: string
  readonly common: string
}

/** Layer over such a repository that holds one command's changes. Close it. */
interface LinkedRepository {
  readonly mount: SecondOverlay
  /** Returns the command's changes. Call it after the command has ended. */
  read(): PointedChanges | undefined
  close(): void
}

/** Parts of a repository that configure or run something. */
const READ_ONLY = ['hooks', 'config', 'info']

export function openLinkedRepository({ gitDir, common }: LinkedPlace, directory: string): LinkedRepository {
  const root = openRoot(common)
  const [upper, work] = ['repository', 'repository-work'].map(name => join(directory, name)) as [string, string]
  for (const place of [upper, work]) mkdirSync(place)
  const { uid, gid, mode } = lstatSync(common)
  if (process.getuid?.() === 0) chownSync(upper, uid, gid)
  chmodSync(upper, mode & 0o7777)
  const layer = openLayer(root.sys, upper)
  const ownPath = relative(common, gitDir)
  const repository: PointedRepository = {
    name: ownPath === '' ? 'the submodule' : 'the linked work tree',
    root,
    real(path) {
      const name = path.slice('.git/'.length)
      return ownPath === '' || isShared(name) ? name : `${ownPath}/${name}`
    },
    gitDir,
    common,
    workTree: '.',
  }
  return {
    mount: { place: common, lower: [common], upper, work, readOnly: READ_ONLY },
    read() {
      const changes = readUpper(layer, createView(root, createStaging()), { isHidden: () => false, isAbsent: false })
      const usualChanges = changes.flatMap((one): LayerChange[] => {
        const path = usualPath(one.path)
        // Changes that belong to other work trees, or to none, are reported and never land.
        if (path === undefined) return one.type === 'directory' ? [] : [{ ...one, path: `.git/commondir/${one.path}` }]
        // Other work trees may need an object that this one drops.
        return one.type === 'absent' && path.startsWith('.git/objects/') ? [] : [{ ...one, path }]
      })
      return usualChanges.length > 0 ? { repository, made: usualChanges } : undefined
    },
    close() {
      layer.close()
      root.close()
    },
  }

  /**
   * Returns the path as it would be with a `.git` directory. Returns undefined for another work tree's path or an
   * unowned one.
   */
  function usualPath(path: string): string | undefined {
    if (ownPath === '') return `.git/${path}`
    if (path.startsWith(`${ownPath}/`)) {
      const name = path.slice(ownPath.length + 1)
      return isShared(name) ? undefined : `.git/${name}`
    }
    return isShared(path) ? `.git/${path}` : undefined
  }
}

/** Returns a branch that another work tree has checked out and that these changes would move. */
export function movedElsewhere(
  { gitDir, common }: PointedRepository,
  changes: readonly LayerChange[],
): string | undefined {
  if (gitDir === common) return undefined
  const trees = join(common, 'worktrees')
  const names = kindAt(trees) === 'directory' ? readdirSync(trees) : []
  const others = [common, ...names.map(name => join(trees, name))].filter(place => place !== gitDir)
  const changesByPath = new Map(changes.map(one => [one.path.slice('.git/'.length), one]))
  return others
    .flatMap(place => /^ref: (.+)\n?$/.exec(textAt(join(place, 'HEAD')))?.[1] ?? [])
    .find(branch => valueOf(branch, changesByPath) !== valueOf(branch, new Map()))

  /** Returns the commit of a branch, from its own file or from the packed references. */
  function valueOf(branch: string, after: ReadonlyMap<string, LayerChange>): string | undefined {
    const ownValue = after.has(branch) || kindAt(join(common, branch)) === 'file' ? textOf(branch, after) : ''
    if (ownValue !== '') return ownValue.trimEnd()
    const packedLines = textOf('packed-refs', after).split('\n')
    return packedLines.find(line => line.endsWith(` ${branch}`))?.split(' ')[0]
  }

  function textOf(name: string, after: ReadonlyMap<string, LayerChange>): string {
    const one = after.get(name)
    if (one === undefined) return textAt(join(common, name))
    return one.type === 'file' ? bytesOf(one).toString('latin1') : ''
  }
}

const textAt = (file: string): string => (kindAt(file) === 'file' ? readFileSync(file, 'latin1') : '')
