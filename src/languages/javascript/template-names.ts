import { wordOf } from '../file-model/word-of.ts'
import type { Word } from './words-in.ts'

export interface TemplateName extends Pick<Word, 'name' | 'start'> {
  readonly kind: 'call' | 'use' | 'unsure'
}

const APART = /<(script|style)(?:\s[^>]*)?>.*?<\/\1\s*>|<!--.*?-->/gs
/** `{{ … }}`, and attributes whose values are code: `:a=""`, `@a=""`, `#a=""`, `v-a=""`. */
const CODE = /\{\{(?<shown>.*?)\}\}|\s(?:[:@#]|v-)[^\s=>"']*\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/dgs

/** Places in a component's template with a name in its code, or as an element. */
export function templateNames(text: string, name: string): readonly TemplateName[] {
  const template = markupOnly(text)
  const templatePlaces: TemplateName[] = []
  for (const { indices } of template.matchAll(CODE)) {
    const { shown, double, single } = indices?.groups ?? {}
    const [from, to] = shown ?? double ?? single ?? [0, 0]
    const code = template.slice(from, to)
    templatePlaces.push(...namesInCode(code, name).map(word => ({ ...word, start: from + word.start })))
  }
  for (const { index, 1: element = '' } of template.matchAll(/<([A-Za-z][\w-]*)/g))
    if (element === name || (element.includes('-') && pascal(element) === pascal(name)))
      templatePlaces.push({ name: element, start: index + 1, kind: 'call' })
  return templatePlaces.toSorted((one, other) => one.start - other.start)
}

/** The markup of a component at its original offsets, with scripts, styles and comments blanked. */
export const markupOnly = (text: string): string => text.replaceAll(APART, apart => apart.replaceAll(/[^\r\n]/g, ' '))

/** Places in markup code with a name, except as a member of something else. */
export const namesInCode = (code: string, name: string): readonly TemplateName[] =>
  Array.from(code.matchAll(wordOf(name, 'gu'))).flatMap(({ index }): readonly TemplateName[] => {
    if (/(?<!\.\.)\.\s*$/.test(code.slice(0, index))) return []
    const isCall = /^\s*(?:\?\.)?\s*\(/.test(code.slice(index + name.length))
    return [{ name, start: index, kind: isCall ? 'call' : 'use' }]
  })

const pascal = (name: string): string => name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
