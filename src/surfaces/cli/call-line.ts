import { parseOnce } from '../../kernel/duplicate-key.ts'
import { CONTRACT_IDS } from '../../toolkit.ts'

/** A call in one line of `--jsonl`. */
interface CallLine {
  readonly tool: string
  readonly input: unknown
  readonly contract?: string
  /** Task that its budgets count for, in place of `--component`. */
  readonly component?: string
}

/** Describes the format to callers that sent another. */
export const LINE = 'A line is {"tool":"…","input":{…},"contract"?:"…","component"?:"…"}'

/** Documents call the input `parameters`. */
const KEYS: ReadonlySet<string> = new Set(['tool', 'input', 'parameters', 'contract', 'component'])

/** Returns the call in a line, or an error message. */
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
