import { languageOf } from '../../../model/languages.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { filesWith } from '../occurrences/find-occurrences.ts'
import { isPython, type RefactorParts } from '../refactor-parts.ts'

const TYPES = /^(?:class|struct|module|trait)$/
/** Kinds whose declarations run nothing by themselves. */
const IDLE = /^(?:function|method|constructor|interface|enum|type|namespace|macro|property)$/
/** Languages whose values are computed before the program runs, or when they are first used. */
const CONSTANT = new Set(['c', 'rust', 'swift'])

/** What a declaration runs, by its text, in languages other than scripts. */
export async function writtenEffects(
  parts: RefactorParts,
  { source, span, syntax }: FoundSymbol,
): Promise<readonly Stretch[]> {
  const { path } = source
  const language = languageOf(path) ?? ''
  if (IDLE.test(span.kind) || CONSTANT.has(language)) return []
  const declarationText = source.text.slice(span.nameAt, span.end)
  if (!TYPES.test(span.kind)) {
    const value = declarationText.replace(/^[^=({]*/, '')
    // `Entry entry("a");` calls a constructor.
    return isCall(value) || (language === 'cpp' && /^[({]/.test(value)) ? [lineAt(span.nameAt)] : []
  }
  if (!isPython(path) && language !== 'ruby') return []
  const inner = syntax.spans.filter(
    each => each.name.startsWith(`${span.name}.`) && /^(?:function|method|constructor|class)$/.test(each.kind),
  )
  const effects: Stretch[] = []
  const head = /^[^\n]*/.exec(declarationText)?.[0] ?? ''
  if (isPython(path) && (/\bmetaclass\s*=/.test(head) || (await isRegistered(head)))) effects.push(lineAt(span.nameAt))
  for (let at = span.nameAt + head.length + 1; at < span.end; at = lineAt(at).end + 1) {
    const line = lineAt(at)
    const isOther = [...inner, ...syntax.comments, ...syntax.literals].some(
      ({ start, end }) => start < line.end && end > line.start,
    )
    if (!isOther && isCall(source.text.slice(line.start, line.end))) effects.push(line)
  }
  return effects

  /** The line around a place without its indentation. */
  function lineAt(offset: number): Stretch {
    const from = source.text.lastIndexOf('\n', offset - 1) + 1
    const to = source.text.indexOf('\n', offset)
    const end = to < 0 ? source.text.length : to
    return { start: from + (/^[ \t]*/.exec(source.text.slice(from, end))?.[0].length ?? 0), end }
  }

  /** Reports whether a base is told of its subclasses. */
  async function isRegistered(line: string): Promise<boolean> {
    const bases = [...(/\(([^)]*)/.exec(line)?.[1] ?? '').matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = '']) => name)
    if (bases.length === 0) return false
    const files = (await filesWith(parts, '__init_subclass__')).filter(parts.mayRead)
    return bases.some(base => files.some(file => new RegExp(`\\bclass\\s+${base}\\b`).test(parts.sources(file).text)))
  }
}

/** Calls that only make a value. */
const PURE =
  /\b(?:set|dict|list|tuple|frozenset|int|str|float|bool|bytes|len|range|sorted|min|max|sum|abs|round|field|object|property|staticmethod|classmethod|TypeVar|ParamSpec|namedtuple|NewType|re\.compile|make|new|errors\.New|regexp\.MustCompile)\s*\(/g

function isCall(text: string): boolean {
  const code = text.replaceAll(/(["'])(?:\\.|(?!\1)[^\\\n])*\1|#.*|\/\/.*/g, '""')
  return /[\w\])]\s*\(/.test(code.replaceAll(PURE, ' ('))
}
