import { CALL_OPTIONS, COMMON } from '../usage.ts'
import { wrapped } from './wrapped.ts'

const ALL = Object.entries({ ...CALL_OPTIONS, ...COMMON })

/** Options that every command of a tool takes, as they are typed. */
export const CALL_OPTION_NAMES: readonly string[] = ALL.map(([name]) => `--${name}`)

/** Those of them that want a value. */
export const VALUED: ReadonlySet<string> = new Set(
  ALL.filter(([, { type }]) => type === 'string').map(([name]) => `--${name}`),
)

/** What the help of every command of a tool ends with. */
export const EVERY_CALL: string = wrapped(
  `As for every call: ${CALL_OPTION_NAMES.filter(option => option !== '--help').join(', ')} (toolwright help call).`,
).join('\n')
