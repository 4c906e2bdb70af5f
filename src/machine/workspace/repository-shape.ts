import { gitFoldedName } from './git-folded-name.ts'
import { join } from './path.ts'

/** A snapshot of files, sufficient to decide whether git takes a directory for a repository. */
export interface ShapeTree {
  names(directory: string): readonly string[]
  type(path: string): string
  /** Returns the bytes of a file, or undefined if it is unreadable or too large. */
  bytes(path: string): Buffer | undefined
}

export interface ChangedPath {
  readonly path: string
  readonly type: string
}

/** Why changes are refused: they make a directory a repository, or change what git follows in one. */
export interface RefusedShape {
  readonly directory: string
  /** A file that git follows or runs in an existing repository. */
  readonly followed?: string
}

const PARTS = new Set(['head', 'config', 'config.worktree', 'commondir', 'objects', 'refs'])

/** Files that lead git to other places or name programs. */
const FOLLOWED =
  /^(config|config\.worktree|commondir|gitdir|index|hooks|hooks\/(?!.*\.sample$).+|info\/(?!(exclude|refs)$).+|objects\/info\/(http-)?alternates|modules\/.+|worktrees\/[^/]+\/(gitdir|commondir|config\.worktree))$/

/**
 * Finds changes that give a directory the shape of a bare repository: its configuration names programs that git runs
 * for the next user there. An existing one may change, except for what git follows in it. Folds names like the most
 * lenient file system. `restores`: the changes restore an earlier state, which may be a repository that names no
 * program.
 */
export function findRepositoryShape(
  changedPaths: readonly ChangedPath[],
  before: ShapeTree,
  after: ShapeTree,
  { restores = false }: { readonly restores?: boolean } = {},
): RefusedShape | undefined {
  const was = rememberLook(directory => isShape(before, directory))
  const is = rememberLook(directory => isShape(after, directory))
  for (const { path, type } of changedPaths) {
    if (type === 'absent') continue
    const names = path.split('/')
    const loose = names.map(gitFoldedName)
    for (const at of names.keys()) {
      const inside = loose.slice(at).join('/')
      const isPart = at === names.length - 1 && PARTS.has(inside)
      const isFollowed = type !== 'directory' && FOLLOWED.test(inside)
      if (!isPart && !isFollowed) continue
      const directory = names.slice(0, at).join('/') || '.'
      if (!was(directory)) {
        if (isPart && is(directory) && !(restores && isHarmless(after, directory))) return { directory }
      } else if (isFollowed && !isSame(path) && !(inside === 'config' && isHarmlessFile(after, path)))
        return { directory, followed: path }
    }
  }
  return undefined

  function isSame(path: string): boolean {
    if (before.type(path) !== 'file' || after.type(path) !== 'file') return false
    const [one, other] = [before.bytes(path), after.bytes(path)]
    return one !== undefined && other !== undefined && one.equals(other)
  }
}

function isShape(tree: ShapeTree, directory: string): boolean {
  const namesByFold = Map.groupBy(tree.names(directory), gitFoldedName)
  if (!namesByFold.get('head')?.some(name => tree.type(join(directory, name)) !== 'directory')) return false
  if (namesByFold.has('commondir') || (namesByFold.has('objects') && namesByFold.has('refs'))) return true
  return namesByFold.get('config')?.some(name => configures(tree, join(directory, name))) ?? false
}

/** Reports whether nothing in a repository leads git elsewhere or to a program. */
function isHarmless(tree: ShapeTree, directory: string): boolean {
  const namesByFold = Map.groupBy(tree.names(directory), gitFoldedName)
  const below = (name: string): string[] =>
    (namesByFold.get(name) ?? []).flatMap(found => tree.names(join(directory, found)).map(gitFoldedName))
  return (
    !['commondir', 'config.worktree', 'modules', 'worktrees'].some(name => namesByFold.has(name)) &&
    (namesByFold.get('config') ?? []).every(name => isHarmlessFile(tree, join(directory, name))) &&
    ['hooks', 'info', 'objects'].every(name =>
      (namesByFold.get(name) ?? []).every(found => tree.type(join(directory, found)) === 'directory'),
    ) &&
    below('hooks').every(name => name.endsWith('.sample')) &&
    below('info').every(name => name === 'exclude' || name === 'refs') &&
    (namesByFold.get('objects') ?? []).every(
      found => !tree.names(join(directory, `${found}/info`)).some(name => gitFoldedName(name).endsWith('alternates')),
    )
  )
}

function isHarmlessFile(tree: ShapeTree, path: string): boolean {
  const bytes = tree.type(path) === 'file' ? tree.bytes(path) : undefined
  return bytes !== undefined && isHarmlessConfig(bytes.toString('latin1'))
}

/** Reports whether it has a section about the repository itself. An unreadable file counts as having one. */
function configures(tree: ShapeTree, path: string): boolean {
  const type = tree.type(path)
  if (type !== 'file') return type !== 'directory'
  const bytes = tree.bytes(path)
  return bytes === undefined || /\[\s*core[\s\].]/i.test(bytes.toString('latin1'))
}

function rememberLook(look: (directory: string) => boolean): (directory: string) => boolean {
  const answersByDirectory = new Map<string, boolean>()
  return directory => {
    const answer = answersByDirectory.get(directory) ?? look(directory)
    answersByDirectory.set(directory, answer)
    return answer
  }
}

/** Settings of a repository that neither name a program nor lead elsewhere. */
const SETTINGS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sharedrepository|compression)$/,
  extensions: /^objectformat$/,
  user: /^(name|email)$/,
  init: /^defaultbranch$/,
  receive: /^(denycurrentbranch|denynonfastforwards|denydeletes)$/,
  remote: /^(url|fetch|mirror)$/,
  branch: /^(remote|merge|rebase)$/,
}

const SECTION = /^\[([a-z]+)(?: "[^"\\]*")?\]$/i
const SETTING = /^([a-z][a-z0-9-]*)\s*=\s*([^\\"#;]*)$/i

/** Reports whether a git configuration holds only such settings, one per line. Anything else may be a program. */
function isHarmlessConfig(text: string): boolean {
  let section = ''
  return text.split('\n').every(raw => {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) return true
    const header = SECTION.exec(line)?.[1]
    if (header !== undefined) {
      section = header.toLowerCase()
      return Object.hasOwn(SETTINGS, section)
    }
    const [, name = '', value = ''] = SETTING.exec(line) ?? []
    return (SETTINGS[section]?.test(name.toLowerCase()) ?? false) && !/^-|::/.test(value)
  })
}
