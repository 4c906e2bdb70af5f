import { LANGUAGES } from '../../../languages/registry.ts'
/** How many frames of the program itself are kept: more would be about the program and not about the error. */
const FRAMES = 2
const LONGEST = 4_000

/** One line of a stack trace, in the forms of the common languages: function and file. */
const FORMS: readonly RegExp[] = [
  // JavaScript
  /^\s*at (?:async )?(?<name>[^()]+?) \((?<file>[^()]+?):\d+(?::\d+)?\)$/,
  /^\s*at (?:async )?(?<file>[^()\s]+?):\d+(?::\d+)?$/,
  // C#, then Java and Kotlin
  /^\s*at (?<name>[\w.`<>[\]]+)\([^()]*\) in (?<file>.+):line \d+$/,
  /^\s*at (?<name>[\w$.<>`/]+)\((?<file>[^():]*)(?::\d+)?\)$/,
  // Python
  /^\s*File "(?<file>[^"]+)", line \d+(?:, in (?<name>\S+))?$/,
  // Ruby and PHP
  /^\s*(?:from |#\d+ )(?<file>[^\s:()]+)[:(]\d+\)?:?(?: ?in [`'](?<name>[^'`]+)'| (?<call>[\w\\:>-]+)\(.*\))?$/,
  // Places alone, and names alone
  /^\s+(?:at )?(?<file>\/\S+\.\w+):\d+(?::\d+)?(?: \+0x[0-9a-f]+)?$/,
  /^\s*\d+: +(?:0x[0-9a-f]+ - )?(?<name>[\w:<>]+)$/,
]

const FOREIGN = new RegExp(
  [
    ...LANGUAGES.flatMap(({ libraryFrames }) => libraryFrames?.source ?? []),
    String.raw`\/usr\/(?:local\/)?lib|vendor\/|<anonymous>`,
  ].join('|'),
)

const TITLES =
  /^\s*(?:Traceback \(most recent call last\):|stack backtrace:|goroutine \d+ \[.*\]:|Stack trace:|\.\.\. \d+ more|\^+|~+\^*~*)\s*$/

/**
 * Reduces an error with a stack trace to what identifies it: the class, the message without values, the top frames of
 * the program itself. A text without frames only loses values that are never twice the same. A search by words keeps
 * values: the name of a module or table is what one looks for.
 */
export function reduceTrace(text: string, { keepsValues = false } = {}): string {
  const lines = text.slice(0, 20 * LONGEST).split(/\r?\n/)
  const frames = lines.map(frameOf)
  if (frames.every(frame => frame === undefined)) return withoutUnique(text).slice(0, LONGEST)
  const isLastFirst = lines.some(line => /^\s*File "/.test(line))
  const messageLines = lines.filter(
    (line, at) =>
      frames[at] === undefined &&
      !TITLES.test(line) &&
      line.trim() !== '' &&
      !(isLastFirst && isQuotedSource(lines, at)),
  )
  const programFrames = frames
    .filter(frame => frame !== undefined)
    .filter(({ file, name }) => !FOREIGN.test(file) && !FOREIGN.test(name))
  // Its traces print the place of the error last.
  const top = (isLastFirst ? programFrames.toReversed() : programFrames)
    .slice(0, FRAMES)
    .map(describe)
    .filter(place => place !== '')
  const knownMessage = withoutUnique(messageLines.join('\n'))
  const message = keepsValues ? knownMessage : withoutValues(knownMessage)
  return [message, ...(top.length > 0 ? [`at ${top.join(', ')}`] : [])].join('\n').slice(0, LONGEST).trim()
}

interface Frame {
  readonly name: string
  readonly file: string
}

function frameOf(line: string): Frame | undefined {
  if (line.length > 1_000) return undefined
  for (const form of FORMS) {
    const groups = form.exec(line)?.groups
    if (groups) return { name: groups['name'] ?? groups['call'] ?? '', file: groups['file'] ?? '' }
  }
  return undefined
}

/** Function and file name; directories and lines are about one copy of the program. */
const describe = ({ name, file }: Frame): string =>
  [
    name
      .replace(/^(?:async |new )/, '')
      .split(/[.:/]+/)
      .at(-1) ?? '',
    file.split(/[\\/]/).at(-1) ?? '',
  ]
    .filter(Boolean)
    .join(' in ')

/** Python shows the source line below each frame. */
const isQuotedSource = (lines: readonly string[], at: number): boolean =>
  /^\s{4,}\S/.test(lines[at] ?? '') && /^\s*File "/.test(lines[at - 1] ?? '')

/** Removes what no second error has: identifiers, addresses, times, directories. */
const withoutUnique = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '')
    .replace(/\b0x[0-9a-f]{5,}\b/gi, '')
    .replace(/\b[0-9a-f]{32,}\b/gi, '')
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, '')
    .replace(/(?<![\w:/\\])(?:[A-Za-z]:)?(?:[\\/][\w.@~+-]+){2,}(?=[\\/])[\\/]/g, '')

/** Removes names and numbers that the program put into a message. */
const withoutValues = (text: string): string =>
  text
    .replace(/'[^'\n]{1,80}'|"[^"\n]{1,80}"|`[^`\n]{1,80}`/g, quoted => (/\s/.test(quoted) ? quoted : ''))
    .replace(/(?::\d+)+(?!\w)|(?<![\w.])\d+(?:\.\d+)*(?![\w.])/g, '')
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/ $/gm, '')
