import { extentOf, isCutLength, type Caps } from './shrink.ts'

/**
 * Returns the whole of a cut answer as it is stored. Long texts and lists of texts beside them stay plain, so that they
 * can be read by lines; anything else becomes indented JSON.
 */
export function wholeOf(data: unknown, caps: Caps): string {
  if (typeof data === 'string') return data
  const cut = Object.entries(Object(data)).filter(([, value]) => isCut(value, caps))
  const parts = cut.flatMap(([title, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [{ title, text }]
  })
  const hasText = cut.some(([, value]) => typeof value === 'string')
  if (!hasText || parts.length < cut.length) return JSON.stringify(data, null, 2)
  return parts.length === 1
    ? parts.map(({ text }) => text).join('')
    : parts.map(({ title, text }) => `${title}:\n${text.replace(/\n?$/, '\n')}`).join('')
}

/** Returns the text that is cut, if nothing else of the answer is. */
export function cutTextAlone(data: unknown, caps: Caps): string | undefined {
  const [first, ...others] = Object.values(Object(data)).filter(value => isCut(value, caps))
  return others.length === 0 && typeof first === 'string' ? first : undefined
}

function isCut(value: unknown, { items, text }: Caps): boolean {
  if (typeof value === 'string') return isCutLength(value.length, text)
  const extent = extentOf(value)
  return extent.items > items || isCutLength(extent.text, text)
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(each => typeof each === 'string') ? value.join('\n') : undefined
}
