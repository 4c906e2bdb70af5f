import { isAbsolute, posix } from 'node:path'
import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isCall, isIntent, type CallRecord } from '../../machine/journal/record.ts'
import { escapeGlob, matchGlob } from '../../guards/glob.ts'
import { isTool } from '../../kernel/is-tool.ts'
import { isFailedCall } from './failed-call.ts'
import { toolCommandOf } from './tool-command/table.ts'
import { UsageError } from './usage.ts'

/** Options that filter the calls of a journal. */
export const LOG_FILTERS = {
  path: { type: 'string' },
  tool: { type: 'string' },
  verdict: { type: 'string' },
  failed: { type: 'boolean' },
  task: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
} as const

type Values = { readonly [Name in keyof typeof LOG_FILTERS]?: string | boolean | undefined }

interface Where {
  readonly root: string
  /** The current directory as a path of the workspace. */
  readonly here: string
}

/** Returns a predicate for wanted records, or undefined if all are. Any filter excludes records that are not calls. */
export function logFilter(values: Values, now: number, where: Where): ((record: JournalRecord) => boolean) | undefined {
  const { path, tool, verdict, failed, task, since, until } = values
  if (verdict !== undefined && verdict !== 'allow' && verdict !== 'ask' && verdict !== 'deny')
    throw new UsageError('--verdict takes allow, ask or deny', 'log')
  const [from, to] = [since, until].map(time => (time === undefined ? undefined : momentOf(String(time), now)))
  if (Object.keys(LOG_FILTERS).every(name => values[name as keyof Values] === undefined)) return undefined
  const isTouched = typeof path === 'string' ? touching(path, where) : undefined
  const isCalled = typeof tool === 'string' ? calling(tool) : undefined
  return record => {
    if (!isCall(record) && !isIntent(record)) return false
    const at = Date.parse(record.time)
    return (
      (isTouched === undefined || isTouched(record)) &&
      (isCalled === undefined || isCalled(record)) &&
      (verdict === undefined || verdictOf(record) === verdict) &&
      (!failed || (isCall(record) && isFailedCall(record))) &&
      (task === undefined || record.task === task) &&
      (from === undefined || at >= from) &&
      (to === undefined || at <= to)
    )
  }
}

/** Filters by the name of the tool, or of its command. */
function calling(name: string): (record: Called) => boolean {
  const command = toolCommandOf(name)?.command
  const fixedFields = Object.entries(command?.fixed ?? {}).filter(([, value]) => value !== '')
  return ({ tool, input }) =>
    isTool(name, tool) ||
    (command !== undefined &&
      tool === `toolwright/${command.tool}` &&
      fixedFields.every(([key, value]) => Reflect.get(Object(input), key) === value))
}

type Called = Pick<CallRecord, 'tool' | 'input'>

/**
 * Returns the final verdict. A call may still have to ask about changes found while it runs, even if all its claims
 * were allowed.
 */
export const verdictOf = ({ verdict, approval, code }: Decided): string | undefined =>
  approval || code === 'rejected' ? 'ask' : verdict?.verdict

type Decided = Pick<Partial<CallRecord>, 'verdict' | 'approval' | 'code'>

/**
 * Filters by path: the path itself, anything below it, or a glob. Includes changed and claimed paths. Paths are
 * relative to the current directory, whose own name is not read as a glob.
 */
function touching(typed: string, { root, here }: Where): (record: JournalRecord) => boolean {
  const isWhole = IS_URL.test(typed) || isAbsolute(typed)
  const whole = typed.startsWith(`${root}/`) ? typed.slice(root.length + 1) : typed
  const from = (directory: string): string => (isWhole ? whole : posix.join(directory, typed)).replace(/(?<=.)\/+$/, '')
  const [wantedPath, glob] = [from(here), from(escapeGlob(here))]
  const isGlob = /[*?[{]/.test(typed)
  const isWanted = (path: string): boolean =>
    path === wantedPath ||
    path.startsWith(`${wantedPath}/`) ||
    (!IS_URL.test(path) && (wantedPath === '.' || (isGlob && isMatch(glob, path))))
  return ({ changed, claims }) => {
    const changes = Array.isArray(changed) ? changed.map(String) : []
    const fileClaims = Array.isArray(claims)
      ? claims.map(Object).filter(({ action }) => action !== 'exec' && action !== 'reveal')
      : []
    return [...changes, ...fileClaims.map(({ resource }) => String(resource ?? ''))].some(isWanted)
  }
}

const IS_URL = /^\w+:\/\//

function isMatch(glob: string, path: string): boolean {
  try {
    return matchGlob(glob, path)
  } catch (error) {
    throw new UsageError(`--path: ${error instanceof Error ? error.message : String(error)}`, 'log')
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

const DATE = /^\d{4}(?:-\d\d){0,2}$/

/** Parses `30m`, `2h` and `3d` ago, or a local date with or without a time. A date alone would be parsed as UTC. */
function momentOf(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at =
    count === undefined
      ? Date.parse(DATE.test(text) ? `${text}T00:00` : text)
      : now - Number(count) * (UNITS[unit] ?? 0)
  if (Number.isNaN(at))
    throw new UsageError(`'${text}' is not a time: give 30m, 2h, 3d, 2026-11-16 or 2026-11-16T14:00`, 'log')
  return at
}
