import { factsOf } from '../../src/knowledge/model/facts/facts-of.ts'
import type { FileModel, Value } from '../../src/languages/file-model/file-model.ts'
import { modelOf } from '../../src/knowledge/model/model-of.ts'
import { namesAround } from '../../src/knowledge/model/names-around.ts'
import type { Span } from '../../src/languages/file-model/syntax-file.ts'
import { syntaxOf } from '../../src/knowledge/model/syntax/syntax-of.ts'

/** The model of a source text in words, for tests that compare it. */
export interface ShownModel {
  /** `kind Class.name from-to` */
  readonly declarations: readonly string[]
  /** What a declaration is, from its first to its last character, by its name. */
  readonly spans: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, string>>
  readonly signatures: readonly string[]
  /** `local = name of module` */
  readonly imports: readonly string[]
  readonly exports: readonly string[]
  /** `line: caller > callee/arguments` */
  readonly calls: readonly string[]
  readonly uses: readonly string[]
  readonly comments: readonly string[]
  readonly model: FileModel
}

export async function shownModel(path: string, text: string): Promise<ShownModel> {
  const bytes = Buffer.from(text)
  const [model, facts, syntax] = await Promise.all([modelOf(path, bytes), factsOf(path, bytes), syntaxOf(path, text)])
  if (!model || !facts || !syntax) throw new Error(`Nobody reads ${path}`)
  const { symbols, references, imports } = model
  const around = namesAround(symbols)
  const whole = (number: number): string => {
    const symbol = symbols[number]
    return symbol ? [...around(symbol), symbol.name].join('.') : 'file'
  }
  const listed = symbols.flatMap(({ name, kind }, at) => (kind === 'property' || name === '' ? [] : whole(at)))
  const outline = facts.symbols.map(({ within, name }) => [...within, name].join('.'))
  if (outline.join() !== listed.join()) throw new Error(`The outline has ${outline.join()}, the model ${listed.join()}`)
  for (const { name, nameAt } of syntax.spans)
    if (!text.startsWith(name.replace(/^.*\./, ''), nameAt) && !name.endsWith('Companion'))
      throw new Error(`${name} is not at ${nameAt}`)
  const { spans } = syntax
  const textsOf = (part: (span: Span) => string | undefined) =>
    Object.fromEntries(spans.flatMap(span => (part(span) === undefined ? [] : [[span.name, part(span) ?? '']])))
  const referred = (isUse: boolean) =>
    references
      .filter(({ kind }) => (kind === 'use') === isUse)
      .map(({ kind, by, line, value, count }) => {
        const called = `${kind === 'new' ? 'new ' : ''}${shownValue(value, whole)}`
        return `${line}: ${whole(by)} > ${called}${count === undefined ? '' : `/${count}`}`
      })
  return {
    declarations: symbols.map(({ kind, from, to }, at) => `${kind} ${whole(at)} ${from}-${to}`),
    spans: textsOf(({ start, end }) => text.slice(start, end)),
    bodies: textsOf(({ body }) => body && text.slice(body.start, body.end)),
    signatures: symbols.filter(({ kind }) => kind !== 'property').map(({ signature }) => signature),
    imports: imports.map(({ local, name, module }) => `${local} = ${name} of ${module}`),
    exports: facts.exports,
    calls: referred(false),
    uses: referred(true),
    comments: syntax.comments.map(({ start, end }) => text.slice(start, end)),
    model,
  }
}

function shownValue(value: Value, nameOf: (number: number) => string): string {
  const shown = (inner: Value | null) => (inner ? shownValue(inner, nameOf) : '?')
  switch (value[0]) {
    case 'name':
      return value[1] === '' ? '?' : value[1]
    case 'symbol':
      return nameOf(value[1])
    case 'super':
      return `super(${nameOf(value[1])})`
    case 'member':
      return `${shown(value[1])}.${value[2]}`
    case 'sign':
      return `${shown(value[1])}~${value[2]}`
    case 'result':
      return `${shown(value[1])}()`
    case 'element':
      return `${shown(value[1])}[${value[2] ?? ''}]`
    case 'instance': {
      const [, type, ...args] = value
      return `a ${shown(type)}${args.length > 0 ? `<${args.map(shown).join()}>` : ''}`
    }
    case 'list':
      return `[${shown(value[1])}]`
    case 'either':
      return value
        .slice(1)
        .map(each => shown(each as Value))
        .join(' | ')
    case 'object':
      return `{${Object.entries(value[1])
        .map(([key, each]) => `${key}: ${shown(each)}`)
        .join()}}`
    default:
      return value[0]
  }
}
