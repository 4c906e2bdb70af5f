import { stripVTControlCharacters } from 'node:util'
import { imageType } from './encoding.ts'
import { imageSize } from './image-size.ts'

/** Longer outputs are cut: notebooks are rarely read for what a cell printed. */
const LONGEST_OUTPUT = 4000

/**
 * Returns a notebook's cells as text, each under a line that names it, or undefined if it is not a version 4 notebook.
 */
export function notebookCells(text: string): readonly string[] | undefined {
  const { nbformat, cells, metadata } = fieldsOf(jsonValue(text))
  if (nbformat !== 4 || !Array.isArray(cells)) return undefined
  const { language_info, kernelspec } = fieldsOf(metadata)
  const language = fieldsOf(language_info)['name'] ?? fieldsOf(kernelspec)['language']
  return cells.map((cell: unknown, at) => {
    const { cell_type: kind, source, outputs } = fieldsOf(cell)
    const isCode = kind === 'code'
    const names = [
      typeof kind === 'string' ? kind : 'cell',
      ...(isCode && typeof language === 'string' ? [language] : []),
    ]
    const outputTexts = isCode && Array.isArray(outputs) ? outputs.map(outputText).filter(each => each !== '') : []
    return [
      `--- cell ${at + 1} of ${cells.length}: ${names.join(', ')} ---`,
      joinText(source),
      ...outputTexts.flatMap(each => ['--- output ---', each]),
    ].join('\n')
  })
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => Object(value)

function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text is stored as one string or as its lines. */
const joinText = (text: unknown): string =>
  (Array.isArray(text)
    ? text.filter(each => typeof each === 'string').join('')
    : typeof text === 'string'
      ? text
      : ''
  ).replace(/\n$/, '')

function outputText(output: unknown): string {
  const { text, data, ename, evalue, traceback } = fieldsOf(output)
  if (text !== undefined) return cut(joinText(text))
  if (ename !== undefined) {
    const lines = Array.isArray(traceback) ? traceback.map(String).join('\n') : ''
    return cut(lines === '' ? `${String(ename)}: ${String(evalue)}` : lines)
  }
  const forms = Object.entries(fieldsOf(data))
  const images = forms.filter(([type]) => type.startsWith('image/') && type !== 'image/svg+xml').map(describeForm)
  const plain = fieldsOf(data)['text/plain'] ?? fieldsOf(data)['text/markdown']
  const others = forms.map(([type, form]) => `[${type}, ${joinText(form).length} characters]`)
  if (plain !== undefined) return [cut(joinText(plain)), ...images].join('\n')
  return (images.length > 0 ? images : others).join('\n')
}

function describeForm([type, form]: readonly [string, unknown]): string {
  const bytes = Buffer.from(joinText(form), 'base64')
  const imageKind = imageType(bytes)
  const size = imageKind && imageSize(imageKind, bytes)
  return `[${type}, ${size ? `${size.width} × ${size.height}, ` : ''}${bytes.length} bytes]`
}

function cut(text: string): string {
  const plain = stripVTControlCharacters(text)
  if (plain.length <= LONGEST_OUTPUT) return plain
  return `${plain.slice(0, LONGEST_OUTPUT).toWellFormed()}\n… ${plain.length - LONGEST_OUTPUT} more characters`
}
