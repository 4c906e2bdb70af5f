import { readlinkSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { outsideRules } from '../tree/ignore/outside-rules.ts'
import { readLevel, RULE_NAMES } from '../tree/ignore/read-level.ts'
import { isIgnored, withLevel, type Rules } from '../tree/ignore/rules.ts'
import { userPlaces, type UserPlaces } from '../tree/ignore/user-places.ts'
import { notFound } from '../../machine/workspace/disk.ts'
import { createGrant } from '../../machine/workspace/grant.ts'
import { nameToBytes } from '../../machine/workspace/name.ts'
import { createView, type View } from '../../machine/workspace/view.ts'
import type { Entry } from '../../machine/workspace/workspace.ts'
import type { SearchParts } from './search-parts.ts'
import { notADirectory } from './search-place.ts'

export interface TreeOptions {
  /** How many levels below the directory are shown. */
  readonly depth: number
  /** What ignore files name, `.git` and what is none of the workspace's own, too. */
  readonly all?: boolean
  readonly limit: number
  readonly skip?: number
}

export interface ListedTree {
  readonly path: string
  /** Each directory before what is in it, in the order of names. */
  readonly entries: readonly Pick<Entry, 'path' | 'type' | 'size'>[]
  /** All that there are, also those past the limit. */
  readonly total: number
  /** Names that ignore files leave out, a directory counting as one. */
  readonly ignored: number
  /** Names that rules keep from being read. */
  readonly filesHidden: number
  /** There was more than anybody should walk through. */
  readonly isPart: boolean
}

type ListParts = Pick<SearchParts, 'root' | 'staging' | 'claims' | 'mayList' | 'foreign' | 'user'>
/** Past so many names the walk ends. */
const MOST = 200_000

/** What is in a directory as staged, to a depth, without what ignore files name. */
export function listTree(parts: ListParts, from: string, options: TreeOptions): ListedTree {
  const { root, staging, claims, mayList, foreign } = parts
  const view = createView(root, staging)
  const path = view.look(from, {}, ({ located: { rel }, type }) => {
    if (type === 'absent') throw notFound(rel)
    if (type !== 'directory') throw notADirectory(rel)
    createGrant(claims).need(rel, 'read')
    return rel
  })
  const { depth, all = false, limit, skip = 0 } = options
  const entries: Entry[] = []
  const counted = { total: 0, ignored: 0, filesHidden: 0 }
  const walk = (directory: string, above: Rules | undefined, levels: number): void => {
    const children = directory === path ? view.look(path, {}, look => view.children(look)) : childrenOf(view, directory)
    const rules = above && rulesIn(root.fd, directory, above, children)
    for (const entry of children) {
      if (counted.total >= MOST) return
      if (rules && (entry.name === '.git' || foreign?.matches(entry.path) || ignores(rules, entry))) counted.ignored++
      else if (!mayList(entry.path)) counted.filesHidden++
      else {
        counted.total++
        if (counted.total > skip && entries.length < limit) entries.push(entry)
        if (entry.type === 'directory' && levels > 1) walk(entry.path, rules, levels - 1)
      }
    }
  }
  walk(path, all ? undefined : rulesAbove(root.fd, view, path, parts.user), depth)
  return {
    path,
    entries: entries.map(({ path: at, type, size }) => ({ path: at, type, size })),
    ...counted,
    isPart: counted.total >= MOST,
  }
}

/** A directory on the way that went, or cannot be opened, holds nothing that can be listed. */
function childrenOf(view: View, directory: string): readonly Entry[] {
  try {
    return view.look(directory, { link: true }, look => view.children(look))
  } catch (error) {
    if (error instanceof ToolError) return []
    throw error
  }
}

const ignores = (rules: Rules, { path, name, type }: Entry): boolean =>
  isIgnored(rules, bytesOf(path), bytesOf(name), type === 'directory')

/** The rules that hold in a directory before its own ignore files are read. */
function rulesAbove(rootFd: number, view: View, directory: string, user: UserPlaces | undefined): Rules {
  const names = directory === '.' ? [] : directory.split('/')
  const places = names.map((_, at) => (at === 0 ? '.' : names.slice(0, at).join('/')))
  const outside = outsideRules(user ?? userPlaces()).read(bytesOf(readlinkSync(`/proc/self/fd/${rootFd}`)))
  return places.reduce((rules, place) => rulesIn(rootFd, place, rules, childrenOf(view, place)), outside)
}

function rulesIn(rootFd: number, directory: string, above: Rules, children: readonly Entry[]): Rules {
  const names = new Set(children.flatMap(({ name }) => (RULE_NAMES.has(name) ? [name] : [])))
  if (names.size === 0) return above
  const below = directory === '.' ? '' : `${bytesOf(directory)}/`
  const start = `/proc/self/fd/${rootFd}/`
  const has = (name: string) => names.has(name)
  const level = readLevel({ directory: start + below, start, skip: below.length, lead: '', has })
  return level ? withLevel(above, level) : above
}

/** As ignore rules are asked: each byte one character. */
const bytesOf = (path: string): string => (nameToBytes(path) ?? Buffer.from(path)).toString('latin1')
