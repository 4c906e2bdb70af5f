import { parseOnce } from '../../kernel/duplicate-key.ts'
import { CONTRACT_IDS } from '../../toolkit.ts'

/** A call as a line of `--jsonl` has it. */
interface CallLine {
  readonly tool: string
  readonly input: unknown
  readonly contract?: string
  /** What its budgets are counted for, in place of `--component`. */
  readonly component?: string
}

/** What a line looks like, for whoever wrote another. */
export const LINE = 'A line is {"tool":"…","input":{…},"contract"?:"…","component"?:"…"}'

/** `parameters` is what a document calls the input. */
const KEYS: ReadonlySet<string> = new Set(['tool', 'input', 'parameters', 'contract', 'component'])

/** Returns the call of a line, or what is wrong with the line. */
export function readCallLine(line: string): CallLine | string {
  const { value, problem } = parseOnce(line)
  if (problem !== undefined) return `This line ${problem}`
  if (typeof value !== 'object' || value === null || !('tool' in value) || typeof value.tool !== 'string')
    return 'A line must be an object with "tool" and "input"'
  const unknown = Object.keys(value).filter(key => !KEYS.has(key))
  if (unknown.length > 0)
    return `Unknown key ${unknown.map(key => `"${key}"`).join(', ')}; a line has "tool", "input", "contract" and "component"`
  if ('input' in value && 'parameters' in value) return 'A line has "input" or "parameters", not both'
  const input = 'input' in value ? value.input : 'parameters' in value ? value.parameters : {}
  const { contract, component }: { readonly contract?: unknown; readonly component?: unknown } = Object(value)
  if (contract !== undefined && (typeof contract !== 'string' || !CONTRACT_IDS.includes(contract)))
    return `There is no contract ${JSON.stringify(contract)}; there are ${CONTRACT_IDS.join(', ')}`
  if (component !== undefined && typeof component !== 'string') return 'The "component" of a line must be a string'
  return {
    tool: value.tool,
    input,
    ...(contract !== undefined && { contract }),
    ...(component !== undefined && { component }),
  }
}
