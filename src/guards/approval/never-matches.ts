import { automatonOf, canMatch, OBJECT } from './automaton.ts'
import { ANY_TEXT, parameterShape, type Parameters } from './parameter-shape.ts'
import { safePattern } from './safe-pattern.ts'

/** Says why a pattern can match no call of a tool; undefined if it may. */
export function neverMatches(pattern: string, parameters: Parameters): string | undefined {
  const { start } = automatonOf(safePattern(pattern))
  const canFit = (loose: Parameters, space?: 'spaced'): boolean => canMatch(start, parameterShape(loose, space))
  if (canFit(parameters)) return undefined
  if (!canMatch(start, OBJECT)) return 'it does not begin with {, and parameters are a JSON object'
  const unlike = (value: unknown): string | undefined => {
    const name = parameters.names.find(each => canFit(withValue(parameters, each, value)))
    return name === undefined ? undefined : `'${name}' never has such a value`
  }
  const mistaken = unlike({})
  if (mistaken !== undefined) return mistaken
  if (canFit(parameters, 'spaced')) return 'the text that it is matched against has no spaces between names and values'
  return mistakenKeys(pattern, parameters) ?? unlike(ANY_TEXT) ?? 'it does not have the form of the parameters'
}

const withValue = (parameters: Parameters, name: string, value: unknown): Parameters => ({
  ...parameters,
  values: { ...parameters.values, [name]: value },
})

/** Returns what is wrong with the named parameters; undefined if the pattern leaves them open. */
function mistakenKeys(pattern: string, { names, required }: Parameters): string | undefined {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '')
  if (!/(?:[}.*+?)\]]|\\[SWD])$/.test(body)) return 'it does not end with }, and parameters are a JSON object'
  const keys = keysOf(body)
  if (!keys) return undefined
  const unknown = keys.find(key => !names.includes(key))
  if (unknown !== undefined) return `there is no parameter '${unknown}'`
  const missing = required.find(name => !keys.includes(name))
  if (missing !== undefined) return `it leaves out '${missing}', which every call has`
  const places = keys.map(key => names.indexOf(key))
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1))
    ? undefined
    : 'its parameters are in another order than those of the tool'
}

/** Returns the keys of the outermost object; undefined if the pattern leaves them open. */
function keysOf(body: string): readonly string[] | undefined {
  const keys: string[] = []
  let depth = 0
  for (const [token] of body.matchAll(TOKEN)) {
    if (/^[(|]/.test(token) || /^"[*+?{]/.test(token)) return undefined
    if (token === '{' || token === '\\{') depth++
    else if (token === '}' || token === '\\}') depth--
    else if (token.startsWith('"') && depth === 1 && token.endsWith(':')) {
      const [, name] = /^"(\w+)":$/.exec(token) ?? []
      if (name === undefined) return undefined
      keys.push(name)
    }
  }
  return keys
}

/** A key with its colon, a repeated quote, an escape, a class, a count such as `{2,3}`, or one character. */
const TOKEN = /"[*+?{]|"(?:\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[^"\\[])*":?|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d+,?\d*\}|./gs
