import type { Dirent } from 'node:fs'
import { diskPath } from './disk-path.ts'
import type { Folder } from './folder.ts'
import { levelStamp, readLevel, RULE_NAMES, type LevelPlace } from './ignore/read-level.ts'
import { withLevel, type Rules } from './ignore/rules.ts'
import { lstat } from './stamp.ts'

interface RootParts {
  readonly rootFd: number
}

interface RulesParts extends RootParts {
  outside(): Rules
}

type RulesPlace = Pick<Folder, 'bytes' | 'ruleNames'>

/** Reads the rules of a listed directory. Returns true if everything below must be decided again. */
export function readFolderRules(parts: RulesParts, folder: Folder, entries: Dirent[], again: boolean): boolean {
  const names = new Set<string>()
  for (const { name } of entries) if (RULE_NAMES.has(name)) names.add(name)
  const hadRules = folder.rules !== undefined
  folder.ruleNames = names
  const stamp = stampOf(parts, folder)
  if (hadRules && !again && stamp === folder.rulesStamp) return false
  folder.rules = rulesIn(parts, folder)
  folder.rulesStamp = stamp
  folder.rulesElsewhere = names.has('.git') || [...names].some(name => isLink(parts, folder, name))
  return hadRules
}

/** Reads the rules that apply in a directory, as its ignore files are now. Those of its parent are known. */
export function rulesIn(parts: RulesParts, folder: RulesPlace & Pick<Folder, 'parent'>): Rules {
  const above = folder.parent?.rules ?? parts.outside()
  const level = folder.ruleNames.size === 0 ? undefined : readLevel(placeOf(parts, folder))
  return level === undefined ? above : withLevel(above, level)
}

/** Returns true if its ignore files, or the targets of their links, have changed. */
export const rulesChanged = (parts: RootParts, folder: RulesPlace & Pick<Folder, 'rulesStamp'>): boolean =>
  folder.ruleNames.size > 0 && stampOf(parts, folder) !== folder.rulesStamp

function stampOf(parts: RootParts, folder: RulesPlace): string {
  return folder.ruleNames.size === 0 ? '' : levelStamp(placeOf(parts, folder))
}

function isLink(parts: RootParts, folder: RulesPlace, name: string): boolean {
  return lstat(diskPath(placeOf(parts, folder).directory + name))?.isSymbolicLink() === true
}

function placeOf({ rootFd }: RootParts, { bytes, ruleNames }: RulesPlace): LevelPlace {
  const start = `/proc/self/fd/${rootFd}/`
  return { directory: start + bytes, start, skip: bytes.length, lead: '', has: name => ruleNames.has(name) }
}
