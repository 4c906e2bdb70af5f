import { ruleOf } from '../shell/denied-words.ts'
import { plainWords } from '../shell/plain-words.ts'
import { innerCommand, quote, refusedText } from './foreign-spelling.ts'

/** The commands that a rule names. */
interface CommandPattern {
  /** Their first words; empty for every command. */
  readonly words: readonly string[]
  /** Asks and denies take a word that begins like this for the last one: `push` of `git push*`, `test:` of `test:*`. */
  readonly lastBegins?: string
}

/**
 * Reads the text of a rule about commands: first words, with `*`, ` *` or `:*` behind them, or around them `exec:` or
 * `Bash( )`. Throws `invalid_input` with the right spelling for any other text, because it would never match.
 */
export function readCommandPattern(text: string): CommandPattern {
  const line = innerCommand(text).trim()
  if (EVERY.has(line)) return { words: [] }
  if (line === '') throw refusedText('its command is empty', '*', "write '*' for every command")
  ensureVisible(line)
  const [, stem = line, end = ''] = /^([^]*?\S)(\s+\*|:\*|(?<!\\)\*)$/.exec(line) ?? []
  const words = wordsOf(stem, line)
  ensureProgram(words)
  if (end === '' || /\s/.test(end)) return { words }
  ensureNoValue(words)
  return end === '*' ? openWord(words, line) : colonWord(words)
}

const EVERY: ReadonlySet<string> = new Set(['*', "'*'", '"*"', '\\*', ':*'])

/** The value of an option is compared whole. */
function ensureNoValue(words: readonly string[]): void {
  const last = words.at(-1) ?? ''
  if (words.length === 1 || last.startsWith('-') || ruleOf(words).spellings[0]?.operands.at(-1) === last) return
  throw refusedText(`${quote(last)} is the value of an option, which a rule holds whole`, words.slice(0, -1).join(' '))
}

/** `git push*` is `git push`, and for asks and denies also every word that begins with `push`. */
function openWord(words: readonly string[], line: string): CommandPattern {
  const last = words.at(-1) ?? ''
  if (words.length === 1)
    throw refusedText(
      `${quote(line)} has a pattern in place of a program, and a program is known by its name`,
      last,
      `write '${last}', and a rule for each other program`,
    )
  if (!/[\p{L}\p{N}_]$/u.test(last) || last.startsWith('-')) {
    const whole = last.startsWith('-') || /^[\p{L}\p{N}_]+\.$/u.test(last)
    const spelling = [...words.slice(0, -1), ...(whole ? [last.replace(/[^\p{L}\p{N}]+$/u, '')] : [])].join(' ').trim()
    throw refusedText(`'${clipQuoted(last)}*' is a pattern, and a rule holds whole words`, spelling)
  }
  return { words, lastBegins: last }
}

/** `npm run test:*` is `npm run test`, and for asks and denies also the scripts `test:…`. */
function colonWord(words: readonly string[]): CommandPattern {
  const last = words.at(-1) ?? ''
  return words.length === 1 || last.startsWith('-') ? { words } : { words, lastBegins: `${last}:` }
}

/** Returns the words of a plain command; throws for anything that only a shell would make words of. */
function wordsOf(stem: string, line: string): readonly string[] {
  const bare = withoutQuoted(stem)
  const words = /[{}]/.test(bare) ? undefined : plainWords(withTilde(stem))
  if (words) return words
  const [, rest] = /^(?:\w+=\S*\s+)+(\S[^]*)$/.exec(line) ?? []
  if (rest !== undefined) throw refusedText(`${quote(line)} sets a variable, and a rule begins with the program`, rest)
  const [before = ''] = bare.split(/[*?[{]/)
  if (before.length < bare.length) throw globInside(line, stem)
  const parts = stem.split(/[;&|\n]+/).map(part => part.trim())
  if (parts.length > 1 && !bare.includes('('))
    throw refusedText(
      `${quote(line)} is more than one command`,
      parts[0],
      `write one rule for each command: ${parts.flatMap(part => (part === '' ? [] : [quote(part)])).join(', ')}`,
    )
  if (bare.includes('$')) throw refusedText(`${quote(line)} has a variable, which a rule does not fill in`)
  throw refusedText(
    `${quote(line)} is not the first words of one command`,
    undefined,
    "write plain words, such as 'git push'; quote characters that a shell would read",
  )
}

/** A pattern is not spelled by any command, except as a word in quotes. */
function globInside(line: string, stem: string): Error {
  const tokens = stem.split(/\s+/)
  const at = tokens.findIndex(token => /[*?[{]/.test(token))
  if (at === 0)
    return refusedText(`${quote(line)} has a pattern in place of a program`, undefined, "write the program's name")
  const options = tokens.filter(token => token !== '*')
  const isGap = options.every(token => !/[*?[{]/.test(token))
  const spelling = (isGap && at === 1 ? options : tokens.slice(0, at)).join(' ')
  return refusedText(
    `${quote(line)} has a pattern inside, and a rule is the first words of a command`,
    spelling,
    isGap && at === 1
      ? `write '${spelling}', which covers options before '${options[1] ?? ''}' when it denies`
      : `write '${spelling}', or the character in quotes to mean itself`,
  )
}

function ensureProgram([program = '', ...rest]: readonly string[]): void {
  if (/^\S+:\S/.test(program) && !program.includes('/'))
    throw refusedText(
      `'${clipQuoted(program)}' is no program's name`,
      [program.replaceAll(':', ' '), ...rest].join(' ').replace(/ \*$/, ''),
    )
  if (/\s/.test(program))
    throw refusedText(
      `'${clipQuoted(program)}' is one word in quotes, and no program's name`,
      [program, ...rest].join(' '),
    )
  if (/^[-^!]|[*?[\](),|<>"'`]/.test(program))
    throw refusedText(
      `'${clipQuoted(program)}' is no program's name`,
      [program.replaceAll(/[^\w./+-]/g, '').replace(/^-+/, ''), ...rest].join(' ').trim() || undefined,
    )
  const listEnd = [program, ...rest].findIndex(word => /^[^-].*,$/.test(word))
  if (listEnd >= 0)
    throw refusedText(
      'it lists commands with commas, and a rule names one command',
      [program, ...rest]
        .slice(0, listEnd + 1)
        .join(' ')
        .replace(/,$/, ''),
    )
}

/** Blanks, dashes and quotes of a word processor look right and match nothing. */
function ensureVisible(line: string): void {
  const plain = line
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(/(?<=^| )[\u2013\u2014]/g, '--')
    .replaceAll(/[\u201C-\u201F]/g, '"')
    .replaceAll(/[\u2018-\u201B]/g, "'")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
  if (plain !== line.replaceAll('\t', ' '))
    throw refusedText(
      'it has characters that only look like blanks, dashes or quotes, or cannot be seen',
      plain.replace(/^(["'])(.*)\1$/, '$2'),
    )
}

/** A home directory is compared as it is written. */
const withTilde = (text: string): string => text.replaceAll(/(?<=\s)~(?=\/|\s|$)/g, '\\~')

const withoutQuoted = (text: string): string => text.replaceAll(/\\.|'[^']*'|"[^"]*"/g, '')

const clipQuoted = (text: string): string => quote(text).slice(1, -1)
