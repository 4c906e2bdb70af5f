import type { Argv } from './likely-commands.ts'
import { ODD, parseLine } from './parse-line.ts'
import { startedCommands } from './started-commands.ts'

const KEYWORDS = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '!',
  'time',
  'coproc',
  'function',
  '[[',
  '((',
  'in',
  'for',
  'case',
])

/**
 * Returns the commands of a line that could not be read: without its invisible characters, else from wherever one could
 * begin.
 */
export function recoverCommands(line: string): readonly Argv[] {
  const cleanLines = [...new Set([line.replaceAll(ODD, ''), line.replaceAll(ODD, ' '), line.replaceAll(ODD, '\n')])]
  const scripts = cleanLines.filter(text => text !== line).map(parseLine)
  if (scripts.length > 0 && scripts.every(({ broken }) => broken === undefined))
    return scripts.flatMap(script => startedCommands(script).commands)
  return recoveredCommands(line)
}

/**
 * Returns the commands from every place where one could begin in an uncertain script: after every operator, bracket and
 * keyword, with quotes and invisible characters removed.
 */
function recoveredCommands(line: string): readonly Argv[] {
  const heads = line
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\$\{?IFS\}?/g, ' ')
    .replaceAll(/["'\\]/g, '')
    .split(/[;|&<>()`\n\r\v\f{}[\]]|\$\(/)
    .slice(0, MAX_HEADS)
  return heads.flatMap(head => {
    const words = head.split(/\s+/).filter(word => word !== '')
    let start = 0
    while (start < words.length && (KEYWORDS.has(words[start] ?? '') || /^\w+\+?=/.test(words[start] ?? ''))) start++
    return start < words.length ? [words.slice(start).map(text => ({ text, sure: true }))] : []
  })
}

const MAX_HEADS = 20_000
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\p{Cf}\0]/gu
