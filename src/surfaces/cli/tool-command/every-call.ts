import { CALL_OPTIONS, COMMON } from '../usage.ts'
import { wrapText } from './wrapped.ts'

const ALL = Object.entries({ ...CALL_OPTIONS, ...COMMON })

/** Options of every tool command, as typed. */
export const CALL_OPTION_NAMES: readonly string[] = ALL.map(([name]) => `--${name}`)

/** Those with a value. */
export const VALUED: ReadonlySet<string> = new Set(
  ALL.filter(([, { type }]) => type === 'string').map(([name]) => `--${name}`),
)

/** End of the help of every tool command. */
export const EVERY_CALL: string = wrapText(
  `As for every call: ${CALL_OPTION_NAMES.filter(option => option !== '--help').join(', ')} (toolwright help call).`,
).join('\n')
