import { existsSync } from 'node:fs'
import { memoryFailure } from './failure.ts'
import type { Fix } from './fix.ts'
import { errorNames } from './text/error-names.ts'
import type { FixByWords, FixStore, FoundFix } from './types.ts'

interface HintTime {
  /** Time by `performance.now()` when the answer goes without a hint. */
  readonly dueAt: number
  /** Aborts when the time is over. */
  readonly signal: AbortSignal
  /** The process ends with this answer, so nothing is loaded for it. */
  readonly wordsOnly: boolean
}

/** A person's word and this much in common make a fix worth a line. */
const NEAR = 0.55
const NEAR_WORDS = 0.2
const LINES = 40
const LAST = 15

/** Reports whether anything was ever stored in this file. Opens no database. */
export const hasFixes = (file: string): boolean => existsSync(file)

/** Returns the best past fix of a failure, if it is good enough: the same error, or validated and near. */
export async function bestPastFix(
  store: FixStore,
  printedText: string,
  { dueAt, signal, wordsOnly }: HintTime,
): Promise<Fix | undefined> {
  const text = tellingLines(printedText)
  const embedWithinMs = Math.max(1, (dueAt - performance.now()) / 2)
  const query = { text, limit: 3, filter: { minConfidence: 0.01 }, embedWithinMs, dueAt }
  const matches = wordsOnly ? undefined : await store.search(query, signal).catch(orWords)
  const { results } = matches ?? (await store.searchWords(query, signal))
  return results.find(isGoodEnough)?.fix
}

const isGoodEnough = (found: FixByWords | FoundFix): boolean => {
  if (found.sameError) return true
  const isSimilar = 'similarity' in found ? found.similarity >= NEAR : found.score >= NEAR_WORDS
  return found.fix.userValidated && isSimilar
}

function orWords(error: unknown): undefined {
  if (memoryFailure(error) !== 'embedding_failed') throw error
  return undefined
}

/** Returns the lines of an output that tell what went wrong: a test run prints hundreds that do not. */
function tellingLines(printed: string): string {
  const lines = printed.split('\n').map(line => line.trimEnd())
  const telling = lines.filter(line => {
    const { codes, classes } = errorNames(line)
    return codes.size + classes.size > 0 || TELLING.test(line)
  })
  return (telling.length > 0 ? telling.slice(0, LINES) : lines.filter(Boolean).slice(-LAST)).join('\n')
}

const TELLING = /\b(error|exception|fatal|panic|cannot|can't|could not|undefined|refused|denied|not found|unable)\b/i
