import type { Node } from 'oxc-parser'
import { parse } from '../javascript/parse.ts'
import { eachPart } from '../javascript/parts.ts'
import { walk } from '../syntax/parse-module.ts'
import { stringKind, templateKind, type NameKind, type WrittenName } from './occurrence.ts'

interface Text {
  readonly start: number
  readonly end: number
  readonly isComment?: true
  readonly isModule?: true
  readonly isKey?: true
  readonly callee?: string
}

/** Where and how a script or module writes a name; of a component also in its template. */
export function scriptOccurrences(
  path: string,
  text: string,
  name: string,
  places: readonly number[],
): readonly WrittenName[] {
  const { program, comments, text: script } = parse(path, text)
  /** A component is blank outside of its scripts. */
  const isScript = (start: number) => script.startsWith(name, start)
  const mocked: Text[] = []
  const kinds = new Map<number, NameKind>()
  const texts: Text[] = comments.map(({ start, end }) => ({ start, end, isComment: true }))
  const called = new Map<string, string>()
  const modules = new Map<string, string>()
  walk(program, node => {
    see(node)
    return true
  })
  return places.map(start => ({ start, ...kindAt(start) }))

  function see(node: Node): void {
    eachPart(node, 'use', ({ start }, role) => {
      if (role === 'member' || role === 'label') kinds.set(start, node.type === 'Property' ? 'key' : 'member')
    })
    switch (node.type) {
      case 'Property':
        if (node.shorthand) kinds.set(node.key.start, 'shorthand')
        if (!node.computed && node.key.type === 'Literal') texts.push({ ...stretch(node.key), isKey: true })
        return
      case 'MemberExpression':
        if (node.computed) called.set(keyOf(node.property), '[]')
        return
      case 'CallExpression':
      case 'NewExpression':
        return seeCall(calleeText(node.callee), node.arguments, node)
      case 'ImportDeclaration':
        for (const { local } of node.specifiers) modules.set(local.name, node.source.value)
        return void texts.push({ ...stretch(node.source), isModule: true })
      case 'ExportAllDeclaration':
        return void texts.push({ ...stretch(node.source), isModule: true })
      case 'ExportNamedDeclaration':
        if (node.source) texts.push({ ...stretch(node.source), isModule: true })
        return
      case 'TemplateLiteral':
        for (const each of node.quasis) texts.push({ ...betweenQuotes(text, each), ...callee(node) })
        return
      case 'JSXText':
        return void texts.push(stretch(node))
      case 'Literal':
        if (typeof node.value === 'string') texts.push({ start: node.start + 1, end: node.end - 1, ...callee(node) })
        return
      default:
    }
  }

  function seeCall(calledName: string, given: readonly Node[], whole: Node): void {
    if (/mock/i.test(calledName)) mocked.push(stretch(whole))
    // The title of a test is no name of what it tests.
    for (const each of given) called.set(keyOf(each), isTest(calledName, given) ? 'console.title' : calledName)
  }

  function callee(node: Node): { readonly callee?: string } {
    const known = called.get(keyOf(node))
    return known === undefined ? {} : { callee: known }
  }

  function calleeText(node: Node): string {
    return text.slice(node.start, node.end).replaceAll(/\s/g, '').slice(-80)
  }

  function kindAt(start: number): Omit<WrittenName, 'start'> {
    const known = kinds.get(start)
    if (known === 'key' && mocked.some(each => each.start <= start && each.end > start))
      return { kind: known, of: 'mock' }
    if (known) return { kind: known, ...moduleAt(start) }
    const around = texts.find(each => each.start <= start && each.end > start)
    if (!around) return isScript(start) ? { kind: 'name', ...moduleAt(start) } : { kind: templateKind(text, start) }
    if (around.isComment) return { kind: 'text' }
    if (around.isModule) return { kind: 'module' }
    if (around.isKey) return { kind: 'key' }
    const content = text.slice(around.start, around.end)
    const kind = stringKind(content, name, start - around.start, around.callee)
    return { kind, ...(around.callee !== undefined && { of: around.callee }) }
  }

  /** The module that what a chain of names begins with is imported from. */
  function moduleAt(start: number): { readonly of?: string } {
    const [, root = name] =
      /([\p{ID_Continue}$]+)(?:\??\.[\p{ID_Continue}$]+)*\??\.$/u.exec(text.slice(Math.max(0, start - 200), start)) ??
      []
    const module = modules.get(root)
    return module === undefined ? {} : { of: module }
  }
}

const TESTS = /^(?:describe|it|test|suite|context|bench)(?:\.\w+)*$/

/** Whether a call names a test. */
const isTest = (callee: string, given: readonly Node[]): boolean =>
  TESTS.test(callee) && given.slice(1).some(({ type }) => /Function/.test(type))

/** A piece of a template without its quotes, where the parser takes them for a part of it. */
function betweenQuotes(text: string, { start, end }: Node): Text {
  const [open = ''] = /^[`}]/.exec(text.slice(start, end)) ?? []
  const [close = ''] = /(?:`|\$\{)$/.exec(text.slice(start + open.length, end)) ?? []
  return { start: start + open.length, end: end - close.length }
}

const keyOf = ({ start, end }: Node): string => `${start}:${end}`

const stretch = ({ start, end }: Node): Text => ({ start, end })
