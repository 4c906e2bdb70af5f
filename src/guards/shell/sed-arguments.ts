import type { Concern } from './concern.ts'
import { optionConcerns, type Options } from './options.ts'
import { isHarmlessSed } from './sed-script.ts'
import { literalOf, type Word } from './script.ts'

const SED: Options = {
  flags: 'nErsuz',
  values: 'el',
  operands: 'text-then-files',
  textBy: /^(-[nErsuz]*e|--expression(=|$))/,
  long: 'quiet silent expression= regexp-extended separate unbuffered null-data posix debug sandbox line-length=',
}

/** Scripts that only print and change text; scripts in files and changes in place are asked for. */
export function sedConcerns(words: readonly Word[]): readonly Concern[] {
  return [...optionConcerns(SED, words), ...scriptsOf(words).flatMap(judge)]
}

interface Text {
  readonly at: number
  readonly text: string | undefined
}

function scriptsOf(words: readonly Word[]): readonly Text[] {
  const scripts: Text[] = []
  for (let at = 1; at < words.length; at++) {
    const text = textOf(words[at])
    const [, joined] = /^(?:-[nErsuz]*e|--expression=)([^]*)$/.exec(text ?? '') ?? []
    if (text === '--expression' || (joined === '' && !text?.startsWith('--')))
      scripts.push({ at, text: textOf(words[++at]) })
    else if (joined !== undefined) scripts.push({ at, text: joined })
  }
  if (scripts.length > 0) return scripts
  const first = words.findIndex((word, at) => at > 0 && !/^-./.test(textOf(word) ?? ''))
  return [{ at: Math.max(first, 0), text: first < 0 ? undefined : textOf(words[first]) }]
}

const textOf = (word: Word | undefined): string | undefined => word && literalOf(word)

const judge = ({ at, text }: Text): readonly Concern[] =>
  text !== undefined && isHarmlessSed(text) ? [] : [{ at, what: 'the script of sed may run or write something' }]
