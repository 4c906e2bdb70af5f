import { diskPath } from '../disk-path.ts'
import { isRacy, stampOf, stat } from '../stamp.ts'
import { levelStamp, readLevel, RULE_NAMES, type LevelPlace } from './read-level.ts'
import { readRules, readSource, sourceStamp } from './rule-source.ts'
import type { RuleLevel, Rules } from './rules.ts'
import type { UserPlaces } from './user-places.ts'

/** Rules that apply to a directory from files above it and from the user. All paths are bytes. */
interface OutsideRules {
  read(root: string): Rules
  /** Stays the same while `read` certainly returns the same. Cheap enough to check before every answer. */
  stamp(root: string): string
}

/** Reads the same rules as ripgrep, which gets the same locations. */
export function outsideRules(user: UserPlaces): OutsideRules {
  const [home, config] = [bytesOf(user.home), bytesOf(user.config)]
  const configurations = [`${home}/.gitconfig`, `${config}/git/config`]
  /** Ignore files of a directory, valid until a name is added or removed there. */
  const names = new Map<string, { readonly stamp: string; readonly has: ReadonlySet<string> }>()
  let excludes: { readonly configured: string; readonly path: string } | undefined
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
        const knownNames = namesIn(place.directory)
        if (knownNames.size > 0)
          stamps += `${place.directory} ${levelStamp({ ...place, has: name => knownNames.has(name) })} `
      }
      let configuration = ''
      for (const path of configurations) configuration += `${sourceStamp(path)} `
      // Read again only if a configuration may have changed.
      if (excludes?.configured !== configuration) excludes = { configured: configuration, path: excludesFile() }
      return stamps + configuration + sourceStamp(excludes.path)
    },
  }

  function namesIn(directory: string): ReadonlySet<string> {
    const now = Date.now()
    const stats = stat(diskPath(directory))
    if (stats === undefined) return new Set()
    const knownNames = names.get(directory)
    const stamp = stampOf(stats)
    if (knownNames?.stamp === stamp) return knownNames.has
    const has = new Set([...RULE_NAMES].filter(name => stat(diskPath(directory + name)) !== undefined))
    if (!isRacy(stats, now)) names.set(directory, { stamp, has })
    return has
  }

  function excludesFile(): string {
    for (const path of configurations) {
      const excludesFileName = readSource(path)
        ?.toString('latin1')
        .match(/^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im)?.[1]
      if (excludesFileName !== undefined) return excludesFileName.replaceAll('~', home)
    }
    return `${config}/git/ignore`
  }
}

/** Yields the directories from the root's parent up to the root of the disk. */
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
