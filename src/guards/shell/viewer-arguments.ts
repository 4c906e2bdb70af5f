import type { Concern } from './concern.ts'
import { optionConcerns, type Options } from './options.ts'
import { literalOf, type Word } from './script.ts'

const LESS: Options = {
  flags: 'aAcCdeEfFgGiIJLmMnNqQrRsSuUwWXV~',
  values: 'bhjpxyzP',
  operands: 'files',
  long: `chop-long-lines LINE-NUMBERS line-numbers RAW-CONTROL-CHARS quit-if-one-screen no-init ignore-case IGNORE-CASE version
  quit-at-eof no-lessopen pattern= squeeze-blank-lines tilde`,
}
const MORE: Options = { flags: 'dflcpsuV', shapes: /^-\d+$/, values: 'n', operands: 'files' }
const VIM: Options = { flags: 'RnNvyZM', operands: 'files', long: 'version help clean' }

const viewer =
  (options: Options) =>
  (words: readonly Word[]): readonly Concern[] => [...optionConcerns(options, words), ...startConcerns(words)]

/** What stands behind a plus is typed for you: a place or a search, or else a command. */
const startConcerns = (words: readonly Word[]): readonly Concern[] =>
  words.flatMap((word, at) => {
    const text = literalOf(word) ?? ''
    if (at === 0 || !text.startsWith('+') || /^\+(\d+|[gGF]|\/[\w .-]+)$/.test(text)) return []
    return [{ at, what: `${text} is a command` }]
  })

export const less = viewer(LESS)
export const more = viewer(MORE)
export const vim = viewer(VIM)
