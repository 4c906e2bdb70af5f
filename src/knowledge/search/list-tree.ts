import { existsSync, readlinkSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { diskPath } from '../tree/disk-path.ts'
import { outsideRules } from '../tree/ignore/outside-rules.ts'
import { readLevel, RULE_NAMES } from '../tree/ignore/read-level.ts'
import { isIgnored, withLevel, type Rules } from '../tree/ignore/rules.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import { notFound } from '../../machine/workspace/disk.ts'
import { createGrant } from '../../machine/workspace/grant.ts'
import { nameToBytes } from '../../machine/workspace/name.ts'
import { join } from '../../machine/workspace/path.ts'
import { createView, type Listed, type Look, type View } from '../../machine/workspace/view.ts'
import type { Entry } from '../../machine/workspace/workspace.ts'
import type { SearchParts } from './search-parts.ts'
import { notADirectory } from './search-place.ts'
import type { Unreadable } from './types.ts'
import { REFUSALS, unreadableList, type UnreadableFile } from './unreadable-files.ts'

export interface TreeOptions {
  /** Levels to show below the directory. */
  readonly depth: number
  /** Also lists ignored names, `.git`, and files foreign to the workspace. */
  readonly all?: boolean
  /** Includes the size of each file; requires a stat of every file. */
  readonly sizes?: boolean
  readonly limit: number
  readonly skip?: number
}

export interface ListedTree {
  readonly path: string
  /** Each directory before its contents, in name order. */
  readonly entries: readonly (Pick<Entry, 'path' | 'type'> & Partial<Pick<Entry, 'size'>>)[]
  /** Number of all entries, including those past the limit. */
  readonly total: number
  /** Ignored names; a directory counts as one. */
  readonly ignored: number
  /** Names that rules hide from reading. */
  readonly filesHidden: number
  /** Directories within the depth that this user may not read. */
  readonly unreadable?: Unreadable
  /** The walk stopped because there were too many names. */
  readonly isPart: boolean
}

type Below = (look: Look) => readonly Listed[]
type ListParts = Pick<SearchParts, 'root' | 'staging' | 'claims' | 'mayList' | 'foreign' | 'user'>
/** The walk ends after this many names. */
const MOST = 200_000

/** Lists the staged contents of a directory to a depth, without ignored names. */
export function listTree(parts: ListParts, from: string, options: TreeOptions): ListedTree {
  const { root, staging, claims, mayList, foreign } = parts
  const view = createView(root, staging)
  const { depth, all = false, sizes = false, limit, skip = 0 } = options
  const below: Below = sizes ? look => view.children(look) : look => view.names(look)
  const { path, first } = view.look(from, {}, look => {
    const { rel } = look.located
    if (look.type === 'absent') throw notFound(rel)
    if (look.type !== 'directory') throw notADirectory(rel)
    createGrant(claims).need(rel, 'read')
    return { path: rel, first: below(look) }
  })
  const entries: (Listed | Entry)[] = []
  const counts = { total: 0, ignored: 0, filesHidden: 0 }
  const unreadableFolders = unreadableList()
  const walk = (directory: string, above: Rules | undefined, levels: number): void => {
    const children = directory === path ? first : childrenOf(view, directory, below, unreadableFolders.add)
    const rules = above && rulesIn(root.fd, directory, above, ruleNamesOf(children))
    const isIgnoredHere = rules && ignoredIn(rules, directory)
    const isForeign = foreign?.namesIn(directory)
    for (const entry of children) {
      if (counts.total >= MOST) return
      if (isIgnoredHere && (entry.name === '.git' || isForeign?.(entry.name) || isIgnoredHere(entry))) counts.ignored++
      else if (!mayList(entry.path)) counts.filesHidden++
      else {
        counts.total++
        if (counts.total > skip && entries.length < limit) entries.push(entry)
        if (entry.type === 'directory' && levels > 1) walk(entry.path, rules, levels - 1)
      }
    }
  }
  walk(path, all ? undefined : rulesAbove(parts, view, path), depth)
  return {
    path,
    entries: entries.map(entry =>
      'size' in entry && entry.type === 'file'
        ? { path: entry.path, type: entry.type, size: entry.size }
        : { path: entry.path, type: entry.type },
    ),
    ...counts,
    ...unreadableFolders.get(),
    isPart: counts.total >= MOST,
  }
}

/** Returns the children of a directory. One that disappeared or cannot be opened has none. */
function childrenOf(
  view: View,
  directory: string,
  below: Below,
  onUnreadable: (file: UnreadableFile) => void,
): readonly Listed[] {
  try {
    return view.look(directory, { link: true }, below)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const why = REFUSALS.get(error.details?.['errno'])
    if (why !== undefined) onUnreadable({ path: directory, why })
    return []
  }
}

/** Returns the check of one directory's entries, or a constant if no rule is in force there. */
function ignoredIn(rules: Rules, directory: string): (entry: Listed) => boolean {
  if (rules.levels.length === 0 && rules.global === undefined) return () => false
  const lead = directory === '.' ? '' : `${bytesOf(directory)}/`
  return ({ name, type }) => {
    const bytes = bytesOf(name)
    return isIgnored(rules, lead + bytes, bytes, type === 'directory')
  }
}

/** Returns the ignore files among the entries of a directory. */
const ruleNamesOf = (children: readonly Listed[]): ReadonlySet<string> => {
  const ruleNames = new Set<string>()
  for (const { name } of children) if (name.startsWith('.') && RULE_NAMES.has(name)) ruleNames.add(name)
  return ruleNames
}

/** Returns the rules that apply to a directory before its own ignore files. */
function rulesAbove({ root, staging, user = userPlaces() }: ListParts, view: View, directory: string): Rules {
  const names = directory === '.' ? [] : directory.split('/')
  const places = names.map((_, at) => (at === 0 ? '.' : names.slice(0, at).join('/')))
  const outside = rulesOutside(bytesOf(readlinkSync(`/proc/self/fd/${root.fd}`)), user)
  const ruleNamesFor = staging.isEmpty() ? ruleNamesOnDisk(root.fd) : ruleNamesStaged(view)
  return places.reduce((rules, place) => rulesIn(root.fd, place, rules, ruleNamesFor(place)), outside)
}

interface KnownRules extends UserPlaces {
  readonly source: ReturnType<typeof outsideRules>
  readonly stamp: string
  readonly rules: Rules
}

let lastRules: KnownRules | undefined

/** Returns the rules from above the workspace, read again when a file or directory that they come from has changed. */
function rulesOutside(root: string, { home, config }: UserPlaces): Rules {
  const isSame = lastRules?.home === home && lastRules.config === config
  const source = isSame && lastRules ? lastRules.source : outsideRules({ home, config })
  // Before the rules are read: a change in between is noticed by the next call.
  const stamp = source.stamp(root)
  if (!isSame || lastRules?.stamp !== stamp) lastRules = { home, config, source, stamp, rules: source.read(root) }
  return lastRules.rules
}

/** Finds the ignore files of a parent directory, without listing it. */
const ruleNamesStaged = (view: View) => (directory: string) => {
  const isThere = (name: string) => view.look(join(directory, name), { link: true }, ({ type }) => type !== 'absent')
  return new Set([...RULE_NAMES].filter(isThere))
}

/** The same where nothing is staged. */
const ruleNamesOnDisk = (rootFd: number) => (directory: string) => {
  const start = `/proc/self/fd/${rootFd}/${directory === '.' ? '' : `${bytesOf(directory)}/`}`
  return new Set([...RULE_NAMES].filter(name => existsSync(diskPath(start + name))))
}

function rulesIn(rootFd: number, directory: string, above: Rules, names: ReadonlySet<string>): Rules {
  if (![...RULE_NAMES].some(name => names.has(name))) return above
  const below = directory === '.' ? '' : `${bytesOf(directory)}/`
  const start = `/proc/self/fd/${rootFd}/`
  const has = (name: string) => names.has(name)
  const level = readLevel({ directory: start + below, start, skip: below.length, lead: '', has })
  return level ? withLevel(above, level) : above
}

/** Converts a path to the form ignore rules expect: one character for each byte, as nearly all names already are. */
const bytesOf = (path: string): string =>
  isAscii(path) ? path : (nameToBytes(path) ?? Buffer.from(path)).toString('latin1')

// oxlint-disable-next-line no-control-regex -- these are the characters that are one byte
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
