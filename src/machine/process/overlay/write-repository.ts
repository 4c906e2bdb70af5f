import { copyFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { LayerChange, ChangedFile } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'
import { kindAt } from './valid-repository.ts'

/** Files that git must own; objects may be links. */
const COPIED = /^(HEAD|config|packed-refs|shallow|index|sharedindex\..+|[A-Z_]+_HEAD|refs|logs)(\/|$)/

/**
 * Writes the workspace's repository with these changes at `place`, for git to read. The caller removes it. With
 * `exactly`, it contains only the resulting objects; otherwise all of the workspace's objects.
 */
export function writeRepository(root: string, changes: readonly LayerChange[], place: string, exactly: boolean): void {
  const [before, after] = [join(root, '.git'), join(place, '.git')]
  const changesByName = new Map(changes.map(one => [one.path.slice('.git/'.length), one]))
  const changedDirectories = new Set([...changesByName.keys()].map(dirname))
  for (const name of ['objects/info', 'objects/pack', 'refs']) mkdirSync(join(after, name), { recursive: true })
  for (const name of namesIn(before)) if (COPIED.test(name)) take(name, copyFileSync)
  if (exactly) for (const name of namesIn(join(before, 'objects'))) if (name !== 'info') takeObjects(`objects/${name}`)
  for (const [name, one] of changesByName) if (one.type === 'file') put(name, one)
  writeFileSync(join(after, 'objects/info/alternates'), exactly ? alternatesOf(before) : `${join(before, 'objects')}\n`)

  function take(name: string, bring: (from: string, to: string) => void): void {
    const change = changesByName.get(name)
    if (change && change.type !== 'directory') return
    const from = join(before, name)
    if (kindAt(from) === 'directory') for (const inner of namesIn(from)) take(`${name}/${inner}`, bring)
    else if (kindAt(from) === 'file' && change === undefined) bring(from, placeOf(name))
  }

  /** Links an unchanged directory as a whole. */
  function takeObjects(name: string): void {
    const isWhole =
      kindAt(join(before, name)) === 'directory' && !changedDirectories.has(name) && !changesByName.has(name)
    if (isWhole && name !== 'objects/pack') symlinkSync(join(before, name), placeOf(name))
    else take(name, symlinkSync)
  }

  function put(name: string, file: ChangedFile): void {
    if (!name.startsWith('objects/')) writeFileSync(placeOf(name), bytesOf(file))
    // It was read as a regular file when found, and no process is left that could change it.
    else if (name !== 'objects/info/alternates') symlinkSync(join(pathOf(file), file.at.path), placeOf(name))
  }

  function placeOf(name: string): string {
    const to = join(after, name)
    mkdirSync(dirname(to), { recursive: true })
    return to
  }
}

const pathOf = ({ at }: ChangedFile): string => readlinkSync(`/proc/self/fd/${at.layer.fd}`)

const namesIn = (directory: string): readonly string[] =>
  kindAt(directory) === 'directory' ? readdirSync(directory) : []

/** Returns other object directories, resolved from where they are listed. */
function alternatesOf(repository: string): string {
  const file = join(repository, 'objects/info/alternates')
  if (kindAt(file) !== 'file') return ''
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines
    .map(line => (line === '' || line.startsWith('#') ? line : resolve(repository, 'objects', line)))
    .join('\n')
}
