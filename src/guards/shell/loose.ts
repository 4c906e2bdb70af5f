import type { Argv } from './guess.ts'

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
 * The places where a command could begin in a text that is no certain script: behind every operator, bracket and keyword, with quotes
 * and what does not show taken away.
 */
export function looseCommands(line: string): readonly Argv[] {
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
