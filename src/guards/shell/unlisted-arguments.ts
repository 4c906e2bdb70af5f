import { globConcern, type Concern } from './concern.ts'
import { literalOf, type Word } from './script.ts'

/** Options that mean a program to run, a file to write or another configuration wherever they are found. */
const RISKY =
  /^(--?(exec|exec-batch|execute|eval|command|cmd|shell|script-shell|pager|editor|checkpoint-action|use-compress-program|compress-program|to-command|rsh|rsync-path|rmt-command|pre|preprocessor|init-file|rcfile|node-options|userconfig|globalconfig|prefix|require|import|loader|output|outfile|out-file|output-file|output-document)(=|$)|-o([^]|$))/

/** For programs without a table the rule is the user's word; words that are not certain, and options that run or write, are asked for. */
export function unlistedConcerns(words: readonly Word[]): readonly Concern[] {
  const end = words.findIndex(word => literalOf(word) === '--')
  return words.flatMap((word, at) => {
    if (at === 0) return []
    const text = literalOf(word)
    const what = text === undefined ? globConcern(word, false) : riskOf(text, end > 0 && at > end)
    return what === undefined ? [] : [{ at, what }]
  })
}

const riskOf = (text: string, isOver: boolean): string | undefined =>
  !isOver && RISKY.test(text) ? `the option ${text} may run a program or write a file` : undefined
