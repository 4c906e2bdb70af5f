import type { RuleFile, Ruling } from './rule-file.ts'

/** The ignore files of one directory. */
export interface RuleLevel {
  /** Converts a path from the tree's root to one from this directory: characters to remove, and the prefix to add. */
  readonly skip: number
  readonly lead: string
  readonly rgignore: RuleFile | undefined
  readonly ignore: RuleFile | undefined
  readonly gitignore: RuleFile | undefined
  readonly exclude: RuleFile | undefined
  /** A repository begins here: git rules from above end. */
  readonly repository: boolean
}

/** All rules for one directory: levels from the nearest up to the root of the disk, and the user's own file. */
export interface Rules {
  readonly levels: readonly RuleLevel[]
  readonly inRepository: boolean
  readonly global: RuleFile | undefined
}

/** Returns true if ripgrep would ignore this path, given as bytes from the tree's root. */
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

/** Adds the level of a directory to the rules. */
export const withLevel = (rules: Rules, level: RuleLevel): Rules => ({
  levels: [level, ...rules.levels],
  inRepository: rules.inRepository || level.repository,
  global: rules.global,
})
