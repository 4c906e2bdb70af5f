import { ToolError } from '../../../kernel/error.ts'
import type { BashToolOptions, CommandLists, ToolQuotas } from './types.ts'

const LISTS: Readonly<Record<keyof CommandLists, true>> = { allow: true, deny: true }
const OPTIONS: Readonly<Record<keyof BashToolOptions, true>> = { ...LISTS, timeoutMs: true }
const QUOTAS: Readonly<Record<keyof ToolQuotas, true>> = {
  timeoutMs: true,
  cpuSeconds: true,
  memoryBytes: true,
  processes: true,
  fileBytes: true,
  outputBytes: true,
  tmpBytes: true,
  writtenBytes: true,
}

/** Throws for an option that does not exist: a misspelled limit would limit nothing. */
export const ensureKnownOptions = (options: object): void => ensureKnown(options, OPTIONS, 'createBashTool')
/** The same for the quotas of a context. */
export const ensureKnownQuotas = (quotas: object = {}): void => ensureKnown(quotas, QUOTAS, 'context.quotas')
/** The same for the command lists of a context. */
export const ensureKnownLists = (lists: object = {}): void => ensureKnown(lists, LISTS, 'context.commands')

/** Throws for anything but a context. Programs without types can pass anything. */
export function ensureContext(ctx: unknown): void {
  if (typeof ctx === 'object' && ctx !== null) return
  throw new ToolError('invalid_input', 'The context is missing', {
    hint: 'Pass an object with `cwd`, the directory of the workspace, and the `permissions` of the call',
  })
}

function ensureKnown(given: object, known: Readonly<Record<string, true>>, where: string): void {
  const unknown = Object.keys(given).filter(key => !Object.hasOwn(known, key))
  if (unknown.length === 0) return
  throw new ToolError('invalid_input', `${where} does not know ${unknown.map(key => `'${key}'`).join(', ')}`, {
    hint: `It takes ${Object.keys(known).join(', ')}`,
  })
}
