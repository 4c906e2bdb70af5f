import {
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Staged state of one path. Without bytes and source: deleted. */
export interface StagedFile {
  readonly path: string
  readonly type: 'absent' | 'directory' | 'file' | 'symlink'
  readonly mode?: number
  read?(): Buffer
  readonly target?: string
}

/** Large, and never part of a validated change: linked instead of copied. */
const LINKED = new Set(['.git', 'node_modules', '.venv', 'target'])

/**
 * Copies the workspace as it would be after the commit, for commands that need a directory. Copies files instead of
 * linking them: programs resolve a link to its real place and would see the old tree beside it.
 */
export function makeStagedTree(
  root: string,
  stagedFiles: readonly StagedFile[],
): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'toolwright-staged-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  try {
    copyTree(root, path, waysTo(stagedFiles))
    for (const file of stagedFiles) apply(path, file)
    return { path, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** Returns every parent directory of a staged path: a link there would lead the change into the workspace itself. */
function waysTo(staged: readonly StagedFile[]): ReadonlySet<string> {
  const ways = new Set<string>()
  for (const { path } of staged)
    for (let at = path.length; at > 0; at = path.lastIndexOf('/', at - 1)) ways.add(path.slice(0, at))
  return ways
}

function copyTree(from: string, to: string, ways: ReadonlySet<string>, prefix = '', linking = false): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const name = prefix + entry.name
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    const isLarge = linking || (entry.isDirectory() && LINKED.has(entry.name))
    if (isLarge && !ways.has(name)) symlinkSync(source, target)
    else if (entry.isDirectory()) {
      mkdirSync(target)
      copyTree(source, target, ways, `${name}/`, isLarge)
    } else if (entry.isFile()) copyFileSync(source, target, constants.COPYFILE_FICLONE)
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true })
  }
}

function apply(tree: string, file: StagedFile): void {
  const target = join(tree, file.path)
  rmSync(target, { recursive: file.type === 'absent', force: true })
  if (file.type === 'absent') return
  mkdirSync(file.type === 'directory' ? target : dirname(target), { recursive: true })
  if (file.type === 'file') writeFileSync(target, file.read?.() ?? '', { mode: file.mode ?? 0o644 })
  if (file.type === 'symlink' && file.target !== undefined) symlinkSync(file.target, target)
}
