import { sanitize } from '../../kernel/sanitize.ts'
import { isFields, numberAt, pathAt, textAt, textsIn, type Fields } from '../render/shape.ts'

const LONGEST = 100

/**
 * Returns the subject of a call in a few words: the file, the command, the old and the new name. Returns an empty text
 * if unknown.
 */
export function callTarget(record: Fields): string {
  const { input, output, claims } = record
  const target = isFields(input)
    ? [...new Set([inInput(input), inOutput(output)])].filter(word => word !== '').join(' ')
    : inClaims(claims)
  return sanitize(target, { max: LONGEST })
}

function inInput(input: Fields): string {
  const [kind, from, to] = [textAt(input, 'kind'), textAt(input, 'symbol', 'from'), textAt(input, 'to')]
  const path = pathAt(input) ?? textAt(input, 'file', 'directory', 'base_path')
  const command = textAt(input, 'command') ?? textsIn(input['argv'])?.join(' ')
  if (command !== undefined) return [command, ...(textsIn(input['args']) ?? [])].join(' ')
  if (kind !== undefined || (from !== undefined && to !== undefined))
    return [kind, from ?? path, ...(to === undefined ? [] : ['→', to])].filter(word => word !== undefined).join(' ')
  const searchTerm = textAt(input, 'pattern', 'glob', 'query', 'name', 'symbol', 'functionName', 'value')
  const sought = searchTerm ?? textsIn(input['patterns'])?.join(', ')
  if (sought !== undefined && sought !== '') return path === undefined ? `'${sought}'` : `'${sought}' in ${path}`
  const line = numberAt(input, 'line')
  if (path !== undefined) return line === undefined ? path : `${path}:${line}`
  return textAt(input, 'url', 'action', 'schema', 'id', 'by', 'handle') ?? ''
}

/** The output names a subject that the input may lack: the commit undone, the transaction begun or ended. */
const inOutput = (output: unknown): string =>
  (isFields(output) ? textAt(output, 'undone', 'transaction') : undefined) ?? ''

/** The input was too large for the record; its claims are there. */
const inClaims = (claims: unknown): string =>
  Array.isArray(claims) ? [...new Set(claims.map(claim => String(Object(claim).resource ?? '')))].join(', ') : ''
