import { diskPath } from '../disk-path.ts'
import { stat } from '../stamp.ts'
import type { RuleLevel } from './rules.ts'
import { readRules, readSource, sourceStamp } from './rule-source.ts'

/** Names that decide what is listed below their directory. */
export const RULE_NAMES: ReadonlySet<string> = new Set(['.gitignore', '.ignore', '.rgignore', '.git', '.jj'])

export interface LevelPlace {
  /** The directory on disk, as bytes, ending with a slash. */
  readonly directory: string
  /** ripgrep's start directory, with a slash: a repository's link to another place may be relative to it. */
  readonly start: string
  readonly skip: number
  readonly lead: string
  has(name: string): boolean
}

/** Reads the ignore files of one directory. Returns undefined if it has none and no repository begins there. */
export function readLevel({ directory, start, skip, lead, has }: LevelPlace): RuleLevel | undefined {
  const rules = (name: string) => (has(name) ? readRules(directory + name) : undefined)
  const rgignore = rules('.rgignore')
  const ignore = rules('.ignore')
  const gitignore = rules('.gitignore')
  const git = has('.git') ? stat(diskPath(`${directory}.git`)) : undefined
  const repository = git !== undefined || (has('.jj') && stat(diskPath(`${directory}.jj`)) !== undefined)
  const exclude = git && readRules(excludePath(directory, start))
  if (!repository && !rgignore && !ignore && !gitignore) return undefined
  return { skip, lead, rgignore, ignore, gitignore, exclude, repository }
}

/** Stays the same while `readLevel` certainly returns the same. */
export function levelStamp({ directory, start, has }: LevelPlace): string {
  let stamps = ''
  for (const name of RULE_NAMES) stamps += has(name) ? `${sourceStamp(directory + name)} ` : '- '
  return has('.git') ? stamps + sourceStamp(excludePath(directory, start)) : stamps
}

/** Returns the exclude file of a directory's repository: a worktree shares that of its main repository. */
function excludePath(directory: string, start: string): string {
  const git = `${directory}.git`
  if (stat(diskPath(git))?.isFile() !== true) return `${git}/info/exclude`
  const link = firstLine(git)
  if (link?.startsWith('gitdir: ') !== true) return NOWHERE
  const real = join(start, link.slice('gitdir: '.length))
  const common = firstLine(join(real, 'commondir'))
  if (common === undefined) return NOWHERE
  return join(common.startsWith('.') ? join(real, common) : join(start, common), 'info/exclude')
}

const NOWHERE = '/proc/self/nowhere'

const firstLine = (path: string): string | undefined =>
  readSource(path)
    ?.toString('latin1')
    .match(/^([^\n]*?)\r?(?:\n|$)/)?.[1]

const join = (directory: string, path: string): string =>
  path.startsWith('/') ? path : directory.endsWith('/') ? directory + path : `${directory}/${path}`
