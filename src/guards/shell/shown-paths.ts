import { subcommandAt } from './git-words.ts'
import { isInside } from './inside.ts'
import { parseLine } from './parse-line.ts'
import { programName } from './program-name.ts'
import { reachOf } from './reach.ts'

/** Subcommands that show or bring back what files held. */
const SHOWS = new Set([
  'show',
  'log',
  'diff',
  'cat-file',
  'blame',
  'annotate',
  'grep',
  'archive',
  'checkout',
  'restore',
  'format-patch',
  'whatchanged',
])

/** Options whose value is a text. */
const TEXTS = /^(-[SGne]|--(grep|author|since|until|format|message))$/

/** Paths that the line has git take out of its history, where no sandbox can hide a file: `git show HEAD:.env`. */
export function shownPaths(line: string): readonly string[] {
  return reachOf(parseLine(line)).commands.flatMap(argv => {
    const words = argv.map(({ text }) => text)
    if (programName(words[0] ?? '') !== 'git') return []
    const [sub = '', ...rest] = words.slice(subcommandAt(words))
    if (!SHOWS.has(sub)) return []
    return rest
      .filter((word, at) => !word.startsWith('-') && !TEXTS.test(rest[at - 1] ?? ''))
      .flatMap(word => [word, word.slice(word.indexOf(':') + 1)])
      .map(path => path.replace(/^(\.\/)+/, ''))
      .filter(path => path !== '' && isInside(path))
  })
}
