import type { RuleFile, Ruling } from './rule-file.ts'

/** The ignore files of one directory. */
export interface RuleLevel {
  /** How a path from the root of the tree becomes one from this directory: so many characters off, this before it. */
  readonly skip: number
  readonly lead: string
  readonly rgignore: RuleFile | undefined
  readonly ignore: RuleFile | undefined
  readonly gitignore: RuleFile | undefined
  readonly exclude: RuleFile | undefined
  /** A repository begins here: rules of git from further up end. */
  readonly repository: boolean
}

/** All that decides in one directory: levels from the nearest up to the root of the disk, and the user's own file. */
export interface Rules {
  readonly levels: readonly RuleLevel[]
  readonly inRepository: boolean
  readonly global: RuleFile | undefined
}

/** True if ripgrep would leave out this path; as bytes, from the root of the tree. */
export function isIgnored(rules: Rules, path: string, name: string, isDirectory: boolean): boolean {
  const { levels, inRepository, global } = rules
  let byIgnore: Ruling
  let byGit: Ruling
  let byExclude: Ruling
  let pastRepository = !inRepository
  for (const level of levels) {
    const from = level.lead + path.slice(level.skip)
    const strongest = level.rgignore?.ruling(from, name, isDirectory)
    if (strongest !== undefined) return strongest === 'ignore'
    byIgnore ??= level.ignore?.ruling(from, name, isDirectory)
    if (!pastRepository) {
      byGit ??= level.gitignore?.ruling(from, name, isDirectory)
      byExclude ??= level.exclude?.ruling(from, name, isDirectory)
    }
    pastRepository ||= level.repository
  }
  const byGlobal = inRepository ? global?.ruling(path, name, isDirectory) : undefined
  return (byIgnore ?? byGit ?? byExclude ?? byGlobal) === 'ignore'
}

/** The rules below a directory with this level. */
export const withLevel = (rules: Rules, level: RuleLevel): Rules => ({
  levels: [level, ...rules.levels],
  inRepository: rules.inRepository || level.repository,
  global: rules.global,
})
