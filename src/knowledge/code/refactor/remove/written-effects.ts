import { languageAt } from '../../../../languages/registry.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import { filesWith } from '../occurrences/find-occurrences.ts'
import type { RefactorParts } from '../refactor-parts.ts'

const TYPES = /^(?:class|struct|module|trait)$/
/** Kinds whose declarations run nothing by themselves. */
const IDLE = /^(?:function|method|constructor|interface|enum|type|namespace|macro|property)$/

/** What a declaration runs, by its text, in languages other than scripts. */
export async function writtenEffects(
  parts: RefactorParts,
  { source, span, syntax }: FoundSymbol,
): Promise<readonly Stretch[]> {
  const { path } = source
  const { valuesAreConstant, constructsWithoutCall, runsClassBodies, classHooks } = languageAt(path)
  if (IDLE.test(span.kind) || valuesAreConstant) return []
  const declarationText = source.text.slice(span.nameAt, span.end)
  if (!TYPES.test(span.kind)) {
    const value = declarationText.replace(/^[^=({]*/, '')
    // `Entry entry("a");` calls a constructor.
    return isCall(value) || (constructsWithoutCall && /^[({]/.test(value)) ? [lineAt(span.nameAt)] : []
  }
  if (!runsClassBodies) return []
  const inner = syntax.spans.filter(
    each => each.name.startsWith(`${span.name}.`) && /^(?:function|method|constructor|class)$/.test(each.kind),
  )
  const effects: Stretch[] = []
  const head = /^[^\n]*/.exec(declarationText)?.[0] ?? ''
  if (classHooks && (classHooks.head.test(head) || (await isRegistered(head, classHooks.ofBase))))
    effects.push(lineAt(span.nameAt))
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
  async function isRegistered(line: string, hook: string): Promise<boolean> {
    const bases = [...(/\(([^)]*)/.exec(line)?.[1] ?? '').matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = '']) => name)
    if (bases.length === 0) return false
    const files = (await filesWith(parts, hook)).filter(parts.mayRead)
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
