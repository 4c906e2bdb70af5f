import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { openToolkit, type Toolkit, type ToolkitOptions } from '../../toolkit.ts'
import { residentAt, type Terminal } from './terminal.ts'
import type { CALL_OPTIONS, parse } from './usage.ts'

/** The options of every call, as they were typed. */
export type CallValues = ReturnType<typeof parse<typeof CALL_OPTIONS>>['values']

/** What a command opens the workspace with. */
interface Opening {
  readonly root: string
  readonly values: CallValues
  /** Our own unless given. */
  readonly contract?: Contract<Engines>
  readonly effects?: ToolkitOptions['effects']
  /** Granted beside those of `--allow`. */
  readonly permissions?: readonly string[]
  readonly isOneCall?: boolean
  /** Standard input carries calls, so that nobody can be asked there. */
  readonly isFromInput?: boolean
}

/** Opens the workspace as the options say, and closes it after the work; every command that runs a tool does it here. */
export async function inSession(
  opening: Opening,
  terminal: Terminal,
  work: (kit: Toolkit) => Promise<number>,
): Promise<number> {
  const { record } = opening.values
  if (record === undefined) return openFor(opening, terminal, work, {})
  const { recorded } = await import('./record.ts')
  return recorded(record, terminal, recorder => openFor(opening, terminal, work, recorder))
}

async function openFor(
  { contract, root, values, effects, permissions = [], isOneCall = false, isFromInput = false }: Opening,
  terminal: Terminal,
  work: (kit: Toolkit) => Promise<number>,
  recorder: Pick<ToolkitOptions, 'record'>,
): Promise<number> {
  const granted = [...permissions, ...(values.allow ?? [])]
  const kit = await openToolkit({
    ...recorder,
    ...(contract && { contract }),
    isBrief: true,
    resident: residentAt(terminal),
    isOneCall,
    ...(effects !== undefined && { effects }),
    root,
    env: terminal.env,
    ...(values.config !== undefined && { config: values.config }),
    ...(values['read-only'] && { readOnly: true }),
    ...(granted.length > 0 && { permissions: granted }),
    ...(values.component !== undefined && { task: values.component }),
    ...(values.transaction !== undefined && { transaction: values.transaction }),
    ...(values.deterministic && { deterministic: true }),
  })
  try {
    const answerer = values.yes ? ALWAYS_YES : isFromInput ? undefined : await personAt(terminal)
    if (answerer) kit.questions.attach(answerer)
    return await work(kit)
  } finally {
    await kit.close()
  }
}

const ALWAYS_YES = () => ({ answer: 'yes', by: '--yes' }) as const

/** In this order: a program that calls us has neither, and opening standard input costs time. */
const personAt = async (terminal: Terminal) =>
  terminal.stderr.isTTY && terminal.stdin.isTTY ? (await import('./ask.ts')).askOn(terminal) : undefined

/** How a call is made, as the options say. */
export const runOptions = (values: CallValues) => ({
  ...(values['dry-run'] && { dryRun: true }),
  ...(values.plan !== undefined && { plan: values.plan }),
})
