import { hash } from 'node:crypto'
import { askParser } from '../../parser/ask-parser.ts'
import { COMPUTED } from './included-files.ts'
import { otherNames, type OtherName } from './other-names.ts'
import { extensionOf } from '../servers/documents.ts'
import type { ScriptRequests } from './script-requests.ts'

/** What of a file decides who depends on whom. */
export interface ModuleFacts {
  readonly hash: string
  /** What it imports, as it is written. */
  readonly requests: readonly string[]
  /** It declares something for files that do not import it. */
  readonly isAmbient: boolean
  /** What it calls otherwise than others do. */
  readonly others?: readonly OtherName[]
}

/** Languages whose imports say which files a change can reach. */
export type Family = 'script' | 'python' | 'c' | 'other'

export const familyOf = (path: string): Family => {
  const extension = extensionOf(path)
  if (/^[cm]?[jt]sx?$/.test(extension)) return 'script'
  if (/^(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/.test(extension)) return 'c'
  return /^pyi?$/.test(extension) ? 'python' : 'other'
}

/** Of languages whose imports are not followed every file concerns every other. */
export async function moduleFacts(path: string, text: string): Promise<ModuleFacts> {
  const family = familyOf(path)
  const summed = hash('sha256', text)
  if (family === 'other') return { hash: summed, requests: [], isAmbient: true }
  const { requests, isAmbient } = await READ[family](path, text)
  const others = otherNames(family, text)
  return { hash: summed, requests: [...new Set(requests)], isAmbient, ...(others.length > 0 && { others }) }
}

type Read = Pick<ModuleFacts, 'requests' | 'isAmbient'>

const READ = { script: scriptFacts, python: pythonFacts, c: includeFacts } as const

async function scriptFacts(path: string, text: string): Promise<Read> {
  const heard = await askParser({ job: 'requests', path, content: text })
  const said = 'value' in heard ? (heard.value as ScriptRequests) : requestsInText(text)
  const requests = [
    ...said.requests,
    ...[...text.matchAll(CALLED)].map(([, , specifier = '']) => specifier),
    ...[...text.matchAll(TYPED)].map(([, , specifier = '']) => specifier),
    ...[...text.matchAll(AUGMENTED)].map(([, , specifier = '']) => specifier),
    ...[...text.matchAll(REFERENCED)].map(([, file = '']) => (file.startsWith('.') ? file : `./${file}`)),
  ]
  const isModule = said.hasModuleSyntax || (/[cm]?jsx?$/.test(path) ? COMMON : EQUALS).test(text)
  return { requests, isAmbient: isModule ? AUGMENTS.test(text) : DECLARES.test(text) }
}

/** Of a script that could not be parsed: rather one import too many than one too few. */
const requestsInText = (text: string): ScriptRequests => ({
  requests: [...text.matchAll(FROM_TEXT)].map(([, , specifier = '']) => specifier),
  hasModuleSyntax: /^\s*(?:import|export)\b/m.test(text),
})

const FROM_TEXT = /\b(?:from|import)\s*(['"])([^'"\n]+)\1/g

/** Also modules that are only named in a call: loaded later, required, or replaced in a test; and types in place. */
const CALLED =
  /\b(?:import|require(?:\.resolve)?|(?:do|un|dont)?[mM]ock|importActual|importMock|requireActual|requireMock)\s*(?:<[^()]*>)?\(\s*(?:\/\*[^*]*\*\/\s*)?(['"`])([^'"`\n$]+)\1/g
/** The same with the type of the module before it. */
const TYPED = /(?:[mM]ock|Actual)\s*<[^\n;]*?>\(\s*(['"`])([^'"`\n$]+)\1/g
const AUGMENTED = /\bdeclare\s+module\s*(['"])([^'"\n]+)\1/g
const REFERENCED = /^\s*\/\/\/\s*<reference\s+path\s*=\s*["']([^"'\n]+)/gm
const COMMON = /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/
const EQUALS = /^\s*(?:export\s*=|(?:export\s+)?import\s+[\w$]+\s*=)/m
const AUGMENTS = /\bdeclare\s+(?:global\b|module\s*['"])/
const DECLARES =
  /^(?:declare\b|var\b|let\b|const\b|(?:async\s+)?function\b|(?:abstract\s+)?class\b|interface\b|type\b|(?:const\s+)?enum\b|namespace\b|module\b)/m

function pythonFacts(path: string, text: string): Read {
  const requests: string[] = []
  for (const [, module = '', bracketed, plain = ''] of text.matchAll(FROM)) {
    requests.push(module)
    const joint = module.endsWith('.') ? '' : '.'
    for (const name of namesIn(bracketed ?? plain)) if (name !== '*') requests.push(`${module}${joint}${name}`)
  }
  for (const [, modules = ''] of text.matchAll(IMPORT)) requests.push(...namesIn(modules))
  for (const [, named = ''] of text.matchAll(NAMED)) requests.push(named)
  return { requests, isAmbient: /(?:^|\/)__?builtins__?\.pyi$/.test(path) }
}

function includeFacts(_: string, text: string): Read {
  const requests = [...text.matchAll(INCLUDED)].map(([, quoted, other]) => quoted ?? other ?? COMPUTED)
  return { requests, isAmbient: false }
}

/** What stands between neither quotes nor brackets is made up by a macro. */
const INCLUDED =
  /(?:^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b|\b__has_include(?:_next)?[ \t]*\()[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)?/gm

const FROM = /^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#(]*))/gm
const IMPORT = /^[ \t]*import[ \t]+([^\n#]+)/gm
const NAMED = /\b(?:import_module|patch(?:\.dict)?|setattr)\(\s*['"]([\w.]+)['"]/g

const namesIn = (list: string): string[] =>
  list
    .replaceAll(/#[^\n]*/g, '')
    .split(',')
    .flatMap(each => /^[\s\\]*([.\w*]+)/.exec(each)?.[1] ?? [])
