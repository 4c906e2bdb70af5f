import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { openToolkit, type Toolkit, type ToolkitOptions } from '../../toolkit.ts'
import { isTypedAt, residentAt, type Terminal } from './terminal.ts'
import { configurationOf, type CALL_OPTIONS, type parse } from './usage.ts'

/** Typed options of every call. */
export type CallValues = ReturnType<typeof parse<typeof CALL_OPTIONS>>['values']

/** Parameters for opening a workspace. */
interface Opening {
  readonly root: string
  readonly values: CallValues
  /** Defaults to our own. */
  readonly contract?: Contract<Engines>
  readonly effects?: ToolkitOptions['effects']
  /** Granted in addition to those of `--allow`. */
  readonly permissions?: readonly string[]
  readonly isOneCall?: boolean
  /** Standard input carries calls, so no one can be asked there. */
  readonly isFromInput?: boolean
}

/** Opens the workspace with these options, and closes it after the work. Every command that runs a tool uses this. */
export async function inSession(
  opening: Opening,
  terminal: Terminal,
  work: (kit: Toolkit) => Promise<number>,
): Promise<number> {
  const { record } = opening.values
  if (record === undefined) return openFor(opening, terminal, work, {})
  const { withRecording } = await import('./record.ts')
  return withRecording(record, terminal, recorder => openFor(opening, terminal, work, recorder))
}

async function openFor(
  { contract, root, values, effects, permissions = [], isOneCall = false, isFromInput = false }: Opening,
  terminal: Terminal,
  work: (kit: Toolkit) => Promise<number>,
  recorder: Pick<ToolkitOptions, 'record'>,
): Promise<number> {
  const { 'wait-for-approval': wait } = values
  const allPermissions = [...permissions, ...(values.allow ?? [])]
  const kit = await openToolkit({
    ...recorder,
    ...(contract && { contract }),
    isBrief: true,
    resident: residentAt(terminal),
    isOneCall,
    ...(effects !== undefined && { effects }),
    root,
    env: terminal.env,
    ...configurationOf(values),
    ...(values['read-only'] && { readOnly: true }),
    ...(allPermissions.length > 0 && { permissions: allPermissions }),
    ...(values.deny && { denials: values.deny }),
    ...(values.component !== undefined && { task: values.component }),
    client: 'command line',
    ...(wait !== undefined && (await import('./wait-for-approval.ts')).waitOf(wait)),
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

const personAt = async (terminal: Terminal) =>
  isTypedAt(terminal) ? (await import('./ask.ts')).askOn(terminal) : undefined

/** Returns the options of a call from the command line. */
export const runOptions = (values: CallValues) => ({
  ...(values['dry-run'] && { dryRun: true }),
  ...(values.plan !== undefined && { plan: values.plan }),
})
