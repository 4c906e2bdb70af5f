import { fileConcern, type Concern } from './concern.ts'
import { optionConcerns, type Options } from './options.ts'
import { literalOf, type Word } from './script.ts'

const TAR: Options = {
  flags: 'tvzjJ',
  files: 'f',
  operands: 'any',
  check: text => (text.includes(':') ? `'${text}' is on another machine` : undefined),
  long: 'list verbose gzip gunzip bzip2 xz zstd file= wildcards no-wildcards exclude= full-time utc totals numeric-owner version help',
}

/** Listing is covered; unpacking, packing and whatever runs a program is not. */
export function tar(words: readonly Word[]): readonly Concern[] {
  const dashed = words.map((word, at) => (at === 1 ? withDash(word) : word))
  const lists = dashed.some(word => /^(-[tvzjJf]*t[tvzjJf]*|--(list|version|help))$/.test(word.source))
  const files = words.flatMap((word, at) => {
    const [, value] = /^--file=([^]*)$/.exec(literalOf(word) ?? '') ?? []
    const what = value === undefined ? undefined : fileConcern(value)
    return what === undefined ? [] : [{ at, what }]
  })
  return [...(lists ? [] : [{ at: 1, what: 'it packs or unpacks files' }]), ...optionConcerns(TAR, dashed), ...files]
}

/** `tar tzf` is `tar -tzf`; in the old spelling the values come behind, whatever the order of the letters. */
function withDash(word: Word): Word {
  const text = literalOf(word)
  if (text === undefined || text.startsWith('-') || !/^[A-Za-z]+$/.test(text)) return word
  const letters = `-${text.replaceAll('f', '')}${text.includes('f') ? 'f' : ''}`
  return { source: letters, pieces: [{ kind: 'text', text: letters, quoted: false }], brace: false }
}

const UNZIP: Options = { flags: 'lptvqCLZ12', operands: 'files' }

export function unzip(words: readonly Word[]): readonly Concern[] {
  const shows = words.some(word => /^-\w*[lptvZ]/.test(word.source))
  return [...(shows ? [] : [{ at: 1, what: 'it unpacks files' }]), ...optionConcerns(UNZIP, words)]
}

const SEVEN: Options = { shapes: /^-(slt|ba|bd|bt|r|r0|y)$/, operands: 'files' }

/** `l` lists and `t` tests; every other letter writes. */
export function sevenZip([program, verb, ...rest]: readonly Word[]): readonly Concern[] {
  if (!program || !verb) return []
  const writes = /^[lti]$/.test(literalOf(verb) ?? '') ? [] : [{ at: 1, what: 'it packs or unpacks files' }]
  return [...writes, ...optionConcerns(SEVEN, [program, ...rest]).map(({ at, what }) => ({ at: at + 1, what }))]
}
