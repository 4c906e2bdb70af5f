import { ToolError } from '../../../../kernel/error.ts'

type Params = Readonly<Record<string, unknown>>

/** What may hold a `$` that is no parameter, and parameters. */
const PARTS = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|\/\/[^\n]*|\/\*.*?\*\/|\$(?<name>\w+)/gs

/** The values that a query asks for. A database may take one that is missing for null, and another refuse one too many. */
export function askedParameters(query: string, params: Params): Params {
  const names = [...query.matchAll(PARTS)].flatMap(({ groups }) => groups?.['name'] ?? [])
  const missing = names.find(name => !Object.hasOwn(params, name))
  if (missing !== undefined)
    throw new ToolError('invalid_input', `The query has a parameter $${missing} that is not given`, {
      hint: 'Give its value in `params`, by its name without the $.',
    })
  return Object.fromEntries(names.map(name => [name, params[name]]))
}
