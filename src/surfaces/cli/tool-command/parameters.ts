import type { JsonSchema } from '../../../kernel/json-schema.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'

type Kind = 'text' | 'integer' | 'seconds' | 'flag' | 'negation' | 'choice' | 'list' | 'json' | 'file'

/** One option of a command, and the field of the tool's input that it sets. */
export interface Parameter {
  /** The key in the input. */
  readonly key: string
  /** The list whose single item contains the key. */
  readonly item?: string
  /** Without its dashes. */
  readonly option: string
  readonly kind: Kind
  /** Placeholder of the value in the help; none for a flag. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly least?: number
  readonly most?: number
  readonly required: boolean
  readonly about: string
}

/** Returns the options of a command, from its tool's schema and the command table. */
export function parametersOf(schema: JsonSchema, command: ToolCommand): readonly Parameter[] {
  const { item, fixed = {}, without = [], words } = command
  const omittedKeys = new Set([...Object.keys(fixed).filter(key => fixed[key] !== ''), ...without, words?.list])
  return fieldsOf(schema).flatMap(([key, field, required]) => {
    if (omittedKeys.has(key)) return []
    const isNeeded = (required && !(key in fixed)) || command.required?.includes(key) === true
    const fieldParameter = parameterOf(key, field, isNeeded, command)
    if (key === words?.line) return []
    if (key === command.text?.key) return [fieldParameter, fileOf(fieldParameter)]
    if (key !== item) return [fieldParameter]
    const inner = fieldsOf(Object(field['items'])).map(([name, one, isNeededThere]) => ({
      ...parameterOf(name, one, isNeededThere, command),
      item: key,
    }))
    return [...inner, { ...fieldParameter, required: false, about: 'Several at once, in place of the options above' }]
  })
}

type Field = readonly [key: string, schema: JsonSchema, required: boolean]

function fieldsOf(schema: JsonSchema): readonly Field[] {
  const requiredKeys: unknown = schema['required']
  return Object.entries(Object(schema['properties'])).map(([key, field]) => [
    key,
    Object(field),
    Array.isArray(requiredKeys) && requiredKeys.includes(key),
  ])
}

function parameterOf(key: string, field: JsonSchema, required: boolean, command: ToolCommand): Parameter {
  const about = aboutOf(field, command.paths?.includes(key) === true)
  const kind = kindOf(key, field, about)
  const name = command.options?.[key] ?? kebabCase(kind === 'seconds' ? key.slice(0, -2) : key)
  const option = kind === 'negation' ? `no-${name}` : name
  const choices = Array.isArray(field['enum']) ? field['enum'].map(String) : undefined
  const isWord = command.positionals.includes(option)
  const value =
    command.placeholders?.[key] ??
    (choices && !isWord ? choices.join('|') : placeholder(option, kind, command.paths?.includes(key) === true))
  return {
    key,
    option,
    kind,
    required,
    about: kind === 'negation' ? about.replace(/^false leaves/, 'Leave') : about,
    ...(kind !== 'flag' && kind !== 'negation' && { value }),
    ...(choices && { choices }),
    ...boundsOf(field, kind),
  }
}

/** Returns the option that reads the same parameter from a file. */
const fileOf = ({ key, option }: Parameter): Parameter => ({
  key,
  option: `${option}-file`,
  kind: 'file',
  value: 'FILE',
  required: false,
  about: 'The same from a file; - is standard input',
})

function kindOf(key: string, field: JsonSchema, about: string): Kind {
  const type = field['type']
  if (type === 'boolean') return about.startsWith('false ') ? 'negation' : 'flag'
  if (type === 'integer') return key.endsWith('Ms') ? 'seconds' : 'integer'
  if (type === 'array' && Object(field['items'])['type'] === 'string') return 'list'
  if (type !== 'string') return 'json'
  return Array.isArray(field['enum']) ? 'choice' : 'text'
}

function boundsOf(field: JsonSchema, kind: Kind): { readonly least?: number; readonly most?: number } {
  if (kind !== 'integer' && kind !== 'seconds') return {}
  const above = numberAt(field, 'exclusiveMinimum')
  const least = numberAt(field, 'minimum') ?? (above === undefined ? undefined : above + 1)
  const most = numberAt(field, 'maximum')
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
}

const numberAt = (field: JsonSchema, key: string): number | undefined => {
  const value = field[key]
  return typeof value === 'number' ? value : undefined
}

function placeholder(option: string, kind: Kind, isPath: boolean): string {
  if (kind === 'integer') return 'N'
  if (kind === 'seconds') return 'SECONDS'
  if (kind === 'json') return 'JSON'
  return isPath && option !== 'file' && option !== 'cwd' ? 'PATH' : option.toUpperCase()
}

/** Returns the schema's description, without remarks on paths that apply only to JSON. */
function aboutOf(field: JsonSchema, isPath: boolean): string {
  const about = typeof field['description'] === 'string' ? field['description'] : ''
  return isPath
    ? about
        .replace('relative to the workspace', 'relative to the current directory')
        .replace('default: the workspace itself', 'default: the current directory')
    : about
}

export const kebabCase = (key: string): string => key.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
