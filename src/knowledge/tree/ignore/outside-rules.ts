import { diskPath } from '../disk-path.ts'
import { isRacy, stampOf, stat } from '../stamp.ts'
import { levelStamp, readLevel, RULE_NAMES, type LevelPlace } from './read-level.ts'
import { readRules, readSource, sourceStamp } from './rule-source.ts'
import type { RuleLevel, Rules } from './rules.ts'
import type { UserPlaces } from './user-places.ts'

/** The rules that hold in a directory because of files above it and of the user's own; all paths are bytes. */
interface OutsideRules {
  read(root: string): Rules
  /** Stays the same as long as `read` surely gives the same. Made for being asked before every answer. */
  stamp(root: string): string
}

/** The same as ripgrep reads, which is told of the same places. */
export function outsideRules(user: UserPlaces): OutsideRules {
  const [home, config] = [bytesOf(user.home), bytesOf(user.config)]
  const configurations = [`${home}/.gitconfig`, `${config}/git/config`]
  /** Which files with rules a directory has, as long as no name came or went there. */
  const names = new Map<string, { readonly stamp: string; readonly has: ReadonlySet<string> }>()
  let excluded: { readonly configured: string; readonly path: string } | undefined
  return {
    read(root) {
      const levels: RuleLevel[] = []
      for (const place of placesAbove(root)) {
        const level = readLevel(place)
        if (level !== undefined) levels.push(level)
      }
      return {
        levels,
        inRepository: levels.some(level => level.repository),
        global: readRules(excludesFile()),
      }
    },
    stamp(root) {
      let stamps = `${root} `
      for (const place of placesAbove(root)) {
        const known = namesIn(place.directory)
        if (known.size > 0) stamps += `${place.directory} ${levelStamp({ ...place, has: name => known.has(name) })} `
      }
      let configured = ''
      for (const path of configurations) configured += `${sourceStamp(path)} `
      // Read again only where a configuration is not surely what it was.
      if (excluded?.configured !== configured) excluded = { configured, path: excludesFile() }
      return stamps + configured + sourceStamp(excluded.path)
    },
  }

  function namesIn(directory: string): ReadonlySet<string> {
    const now = Date.now()
    const stats = stat(diskPath(directory))
    if (stats === undefined) return new Set()
    const known = names.get(directory)
    const stamp = stampOf(stats)
    if (known?.stamp === stamp) return known.has
    const has = new Set([...RULE_NAMES].filter(name => stat(diskPath(directory + name)) !== undefined))
    if (!isRacy(stats, now)) names.set(directory, { stamp, has })
    return has
  }

  function excludesFile(): string {
    for (const path of configurations) {
      const named = readSource(path)
        ?.toString('latin1')
        .match(/^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im)?.[1]
      if (named !== undefined) return named.replaceAll('~', home)
    }
    return `${config}/git/ignore`
  }
}

/** From the directory that holds the root up to that of the disk. */
function* placesAbove(root: string): Generator<LevelPlace> {
  let end = root.length
  while (end > 1) {
    end = root.lastIndexOf('/', end - 1)
    const directory = root.slice(0, end + 1)
    const lead = `${root.slice(end + 1)}/`
    yield { directory, start: `${root}/`, skip: 0, lead, has: name => stat(diskPath(directory + name)) !== undefined }
    if (end === 0) return
  }
}

const bytesOf = (path: string): string => Buffer.from(path).toString('latin1')
