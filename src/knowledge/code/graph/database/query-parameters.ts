import { ToolError } from '../../../../kernel/error.ts'

type Params = Readonly<Record<string, unknown>>

/** Texts that may contain a `$` that is no parameter, and parameters. */
const PARTS = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|\/\/[^\n]*|\/\*.*?\*\/|\$(?<name>\w+)/gs

/** The values that a query uses. One database takes a missing value for null, another refuses a surplus one. */
export function queryParameters(query: string, params: Params): Params {
  const names = [...query.matchAll(PARTS)].flatMap(({ groups }) => groups?.['name'] ?? [])
  const missing = names.find(name => !Object.hasOwn(params, name))
  if (missing !== undefined)
    throw new ToolError('invalid_input', `The query has a parameter $${missing} that is not given`, {
      hint: 'Give its value in `params`, by its name without the $.',
    })
  return Object.fromEntries(names.map(name => [name, params[name]]))
}
