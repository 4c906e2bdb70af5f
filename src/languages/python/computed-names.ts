import type { ComputedName } from '../reflection.ts'

const LOOKUPS =
  /\b(?:(?:get|set|has|del)attr\s*\(\s*(?<object>[^,()]*(?:\([^()]*\)[^,()]*)*),\s*|(?<getter>attrgetter|methodcaller)\s*\(\s*|(?:vars\s*\(\s*(?<vars>[^()]*)\)|(?<scope>globals|locals)\s*\(\s*\)|(?<owner>[\w.]+)\.__dict__)\s*(?:\[\s*|\.(?:get|pop)\s*\(\s*))/g
/** Every place in a text that looks up a computed name. */
export function computedNames(text: string): readonly ComputedName[] {
  return Array.from(text.matchAll(LOOKUPS), ({ index, 0: whole, groups = {} }) => {
    const end = index + whole.length
    const parts = fixedParts(text.slice(end, end + 300))
    const { object, vars, scope, owner } = groups
    const of = object ?? vars ?? (scope === undefined ? owner : 'globals()') ?? ''
    return parts ? [{ start: index, end, ...parts, of: of.trim() }] : []
  }).flat()
}

type Parts = Pick<ComputedName, 'prefix' | 'suffix'>

/** The fixed start and end of a computed name; undefined for a text that is the whole name, or no name. */
export function fixedParts(text: string): Parts | undefined {
  const template = /^[fF][rR]?(?<quote>["'])(?<inside>(?:(?!\k<quote>).)*)\k<quote>/.exec(text)?.groups?.['inside']
  if (template !== undefined) {
    const opens = template.indexOf('{')
    return opens < 0
      ? undefined
      : { prefix: template.slice(0, opens), suffix: template.slice(template.lastIndexOf('}') + 1) }
  }
  const [whole, , first] = /^(["'])((?:(?!\1)[^\\\n])*)\1/.exec(text) ?? []
  if (whole !== undefined && first !== undefined) return fromText(first, text.slice(whole.length))
  const expression = /^[^,\])\n'"`]*(?:\([^()\n]*\)[^,\])\n'"`]*)*/.exec(text)?.[0] ?? ''
  const [, , last] = /^(["'`])((?:(?!\1)[^\\\n])*)\1\s*[\],)]/.exec(text.slice(expression.length)) ?? []
  if (/\+\s*$/.test(expression)) return { prefix: '', suffix: last ?? '' }
  return /^[A-Za-z_$]/.test(expression) ? { prefix: '', suffix: '' } : undefined
}

/** `'do_' + x`, `'do_%s' % x`, `'do_{}'.format(x)`. */
function fromText(text: string, after: string): Parts | undefined {
  if (/^\s*\+/.test(after))
    return { prefix: text, suffix: /\+\s*["'`]([^"'`\n]*)["'`]\s*[\],)]/.exec(after)?.[1] ?? '' }
  const [opens, closes] = /^\s*%/.test(after) ? [/%/, /^.*%\w/] : /^\.format\b/.test(after) ? [/\{/, /^.*\}/] : []
  if (opens && closes) return { prefix: text.slice(0, text.search(opens)), suffix: text.replace(closes, '') }
  return /^\.join\b/.test(after) ? { prefix: '', suffix: '' } : undefined
}
