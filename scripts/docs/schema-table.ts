import type { JsonSchema } from '../../src/kernel/json-schema.ts'

export interface Row {
  /** `edits[].old` for a field of list items. */
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly about: string
}

/** Every field of an object schema as one row, the fields of nested objects and lists right below their own. */
export function rowsOf(schema: JsonSchema, prefix = ''): readonly Row[] {
  const required = new Set(list(schema['required']).map(String))
  return Object.entries(record(schema['properties'])).flatMap(([key, value]) => {
    const field = record(value)
    const name = `${prefix}${key}`
    const row = { name, type: typeOf(field), required: required.has(key), about: aboutOf(field) }
    return [row, ...rowsOf(field, `${name}.`), ...rowsOf(record(field['items']), `${name}[].`)]
  })
}

/** A Markdown table with escaped cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Formats any text as code. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

function typeOf(schema: JsonSchema): string {
  const choices = list(schema['anyOf'])
  if (choices.length > 0) return choices.map(choice => typeOf(record(choice))).join(', ')
  if ('const' in schema) return code(JSON.stringify(schema['const']))
  const values = list(schema['enum'])
  if (values.length > 0) return values.map(value => code(JSON.stringify(value))).join(', ')
  const type = String(schema['type'] ?? 'anything')
  if (type !== 'array') return [type, ...boundsOf(schema)].join(', ')
  const items = typeOf(record(schema['items']))
  return [
    `list of ${items === 'anything' ? items : items.replace(/^(\w+)/, '$1s')}`,
    ...lengthOf(schema, 'items'),
  ].join(', ')
}

const boundsOf = (schema: JsonSchema): readonly string[] =>
  schema['type'] === 'string' ? lengthOf(schema, 'characters') : rangeOf(schema)

function rangeOf(schema: JsonSchema): readonly string[] {
  const [low, high] = [meaningful(schema['minimum']), meaningful(schema['maximum'])]
  const above = meaningful(schema['exclusiveMinimum'])
  const least = low ?? (schema['type'] === 'integer' && above !== undefined ? above + 1 : undefined)
  if (least !== undefined && high !== undefined) return [`${least} to ${high}`]
  return [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(least === undefined && above !== undefined ? [`above ${above}`] : []),
    ...(high === undefined ? [] : [`at most ${high}`]),
  ]
}

function lengthOf(schema: JsonSchema, what: 'characters' | 'items'): readonly string[] {
  const [low, high] =
    what === 'items' ? [schema['minItems'], schema['maxItems']] : [schema['minLength'], schema['maxLength']]
  if (low === 1 && high === undefined) return ['not empty']
  if (typeof low === 'number' && typeof high === 'number') return [`${low} to ${high} ${what}`]
  return typeof high === 'number' ? [`at most ${high} ${what}`] : []
}

/** The bounds of exact integers come from JavaScript, not from the field. */
const meaningful = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? value : undefined

function aboutOf(schema: JsonSchema): string {
  const about = typeof schema['description'] === 'string' ? schema['description'] : ''
  if (!('default' in schema)) return about
  const standard = `default ${code(JSON.stringify(schema['default']))}`
  return about === '' ? `${standard[0]?.toUpperCase()}${standard.slice(1)}` : `${about}; ${standard}`
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const record = (value: unknown): JsonSchema => Object(value)
