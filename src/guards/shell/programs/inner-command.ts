import { has, literalWord, readArguments, valuesOf } from './read-arguments.ts'
import type { Reading } from './reading.ts'
import { wrapperOf, type Wrapper } from './wrappers.ts'

/** Where a wrapper's command begins. */
export interface InnerCommand {
  /** Undefined if there is none. */
  readonly start?: number | undefined
  /** An option before it is unknown, so the command may begin at any later word. */
  readonly isUncertain: boolean
  /** The wrapper only describes the command and runs nothing. */
  readonly isAsked?: true
}

/** Finds the command that a wrapper starts. Returns undefined if the name is not a wrapper. */
export function innerCommand(name: string, words: readonly string[]): InnerCommand | undefined {
  const wrapper = wrapperOf(name)
  if (!wrapper) return undefined
  const reading = readWrapper(wrapper, words)
  if (wrapper.asking && has(reading, ...wrapper.asking)) return { isUncertain: false, isAsked: true }
  const start = startOf(wrapper, reading)
  // Most programs take these as names; a program that skips them starts a later word.
  const isDash = start !== undefined && ['-', '--'].includes(words[start] ?? '')
  return { start, isUncertain: isDash || reading.doubts.length > 0 }
}

function startOf({ variables, dash, skip = 0 }: Wrapper, { operands }: Reading): number | undefined {
  const isSkipped = (source: string, at: number): boolean =>
    (dash === true && at === 0 && source === '-') || (variables === true && source.includes('='))
  const first = operands.findIndex(({ word }, at) => !isSkipped(word.source, at))
  return first < 0 ? undefined : operands[first + skip]?.at
}

const readWrapper = (wrapper: Wrapper, words: readonly string[]): Reading =>
  readArguments(wrapper, words.map(literalWord))

/** The placeholder that xargs replaces by its input, if there is one. */
export function replacedMark(words: readonly string[]): string | undefined {
  const wrapper = wrapperOf('xargs')
  const reading = wrapper && readWrapper(wrapper, words)
  if (!reading || !has(reading, '-I', '-i', '--replace')) return undefined
  return valuesOf(reading, '-I', '-i', '--replace').at(-1)?.word.source || '{}'
}
