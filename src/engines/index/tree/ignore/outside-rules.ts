import { stat } from '../stamp.ts'
import { levelStamp, readLevel, type LevelPlace } from './read-level.ts'
import { readRules, readSource, sourceStamp } from './rule-source.ts'
import type { RuleLevel, Rules } from './rules.ts'

/** The rules that hold in a directory because of files above it and the user's own; paths are bytes. */
export function outsideRules(root: string, home: string | undefined): Rules {
  const levels: RuleLevel[] = []
  for (const place of placesAbove(root)) {
    const level = readLevel(place)
    if (level !== undefined) levels.push(level)
  }
  const global = excludesFile(home)
  return {
    levels,
    inRepository: levels.some(level => level.repository),
    global: global === undefined ? undefined : readRules(global),
  }
}

/** Stays the same as long as `outsideRules` surely gives the same. */
export function outsideStamp(root: string, home: string | undefined): string {
  let stamps = `${root} `
  for (const place of placesAbove(root)) stamps += levelStamp(place)
  for (const path of home === undefined ? [] : configurations(home)) stamps += sourceStamp(path)
  return stamps + sourceStamp(excludesFile(home) ?? '/')
}

/** From the directory that holds the root up to that of the disk. */
function* placesAbove(root: string): Generator<LevelPlace> {
  const names = root.split('/').filter(name => name !== '')
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const directory = `/${names
      .slice(0, depth)
      .map(name => `${name}/`)
      .join('')}`
    const lead = `${names.slice(depth).join('/')}/`
    yield { directory, start: `${root}/`, skip: 0, lead, has: name => stat(directory + name) !== undefined }
  }
}

/** ripgrep is started without HOME, so it takes the home that the system names for the user. */
function excludesFile(home: string | undefined): string | undefined {
  if (home === undefined) return undefined
  for (const path of configurations(home)) {
    const named = readSource(path)
      ?.toString('latin1')
      .match(/^[\s]*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im)?.[1]
    if (named !== undefined) return named.replaceAll('~', home)
  }
  return `${home}/.config/git/ignore`
}

const configurations = (home: string): string[] => [`${home}/.gitconfig`, `${home}/.config/git/config`]
