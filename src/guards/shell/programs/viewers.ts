import type { Concern } from '../concern.ts'
import { literalOf, type Word } from '../script.ts'
import { programs, type Check } from './program.ts'

const rejectDollar: Check = value => (value.includes('$') ? 'options may follow behind a dollar sign' : undefined)

/** Programs that page through a file. Initial commands may only jump or search. */
export const VIEWERS = programs({
  // Further letters may follow a number, or the dollar sign that ends a text: `-b5kfile`.
  less: {
    does: 'read',
    operands: 'files',
    flags: 'aAcCdeEfFgGiIJLmMnNqQrRsSuUwWXV~',
    options: `-b# -h# -y# -z# -j# -x# -p= -P= --chop-long-lines --LINE-NUMBERS --line-numbers --RAW-CONTROL-CHARS --quit-if-one-screen --no-init
    --ignore-case --IGNORE-CASE --quit-at-eof --no-lessopen --squeeze-blank-lines --tilde --pattern=`,
    risky: '-o= -O= -k= -t= -T= -D= --log-file= --LOG-FILE= --lesskey-file= --lesskey-src= --tag= --tag-file=',
    checks: { '-p': rejectDollar, '-P': rejectDollar, '--pattern': rejectDollar },
    judge: (_, words) => startConcerns(words),
  },
  more: {
    does: 'read',
    operands: 'files',
    flags: 'dflcpsuV',
    options: '-n=',
    shapes: /^-\d+$/,
    judge: (_, words) => startConcerns(words),
  },
  'vim vi nvim view': {
    does: 'write',
    operands: 'files',
    flags: 'RnNvyZM',
    options: '--clean',
    judge: (_, words) => startConcerns(words),
  },
})

/** Text after a plus is an initial command: a position, a search, or anything else. */
const startConcerns = (words: readonly Word[]): readonly Concern[] =>
  words.flatMap((word, at) => {
    const text = literalOf(word) ?? ''
    if (at === 0 || !text.startsWith('+') || /^\+(\d+|[gGF]|\/[\w .-]+)$/.test(text)) return []
    return [{ at, what: `${text} is a command` }]
  })
