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

function ensureKnown(given: object, known: Readonly<Record<string, true>>, where: string): void {
  const unknown = Object.keys(given).filter(key => !Object.hasOwn(known, key))
  if (unknown.length === 0) return
  throw new ToolError('invalid_input', `${where} does not know ${unknown.map(key => `'${key}'`).join(', ')}`, {
    hint: `It takes ${Object.keys(known).join(', ')}`,
  })
}
