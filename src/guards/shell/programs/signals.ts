import { literalOf, type Word } from '../script.ts'
import { literalWord } from './read-arguments.ts'

/** Programs that accept a signal as an option: `kill -9`, `pkill -KILL`. */
export const SENDS_SIGNALS: ReadonlySet<string> = new Set(['kill', 'killall', 'pkill', 'skill'])

/** In the order of their numbers, starting with 1. */
const SIGNALS =
  `HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM
  PROF WINCH IO PWR SYS`.split(/\s+/)

const ALIASES: Readonly<Record<string, string>> = { IOT: 'ABRT', CLD: 'CHLD', POLL: 'IO', UNUSED: 'SYS' }

/** Returns the name of a signal from any spelling: `9`, `kill`, `SIGKILL`. */
export function signalName(text: string): string {
  if (/^\d+$/.test(text)) return SIGNALS[Number(text) - 1] ?? text
  const name = text.toUpperCase().replace(/^SIG/, '')
  return ALIASES[name] ?? name
}

const isSignal = (text: string): boolean => /^\d+$/.test(text) || SIGNALS.includes(signalName(text))

/** `-9` and `-KILL` are `--signal=KILL`. */
export function withSignal(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex(word => literalOf(word) === '--')
  return words.map((word, at) => {
    const [, text = ''] = /^-([^-].*)$/.exec(literalOf(word) ?? '') ?? []
    const isOver = end >= 0 && at > end
    return at > 0 && !isOver && isSignal(text) ? literalWord(`--signal=${signalName(text)}`) : word
  })
}
