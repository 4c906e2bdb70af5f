import { isComponentFile, isSameFamily, languageAt, languageOf } from '../../../../languages/registry.ts'
import { hasMacros } from '../refactor-parts.ts'
import { isRun } from '../../../model/occurrences/occurrence.ts'
import type { WrittenPlace } from './find-occurrences.ts'
import { moduleName, moduleStem } from './modules.ts'
import type { Target } from './occurrence.ts'

/** The verdict of the text alone on a place; `ask` if a server can decide, with the verdict if it does not. */
export type Judged =
  | { readonly verdict: 'other'; readonly why: string }
  | { readonly verdict: 'mention' }
  | { readonly verdict: 'not decided'; readonly why: string; readonly ask: boolean; readonly ifHeld?: true }

const other = (why: string): Judged => ({ verdict: 'other', why })
const MENTION: Judged = { verdict: 'mention' }
const open = (why: string): Judged => ({ verdict: 'not decided', why, ask: false })
const ask = (why: string): Judged => ({ verdict: 'not decided', why, ask: true })
/** It can refer to the target only if the whole module is used as a value. */
const onlyThroughModule = (why: string, isAsked: boolean): Judged => ({
  verdict: 'not decided',
  why,
  ask: isAsked,
  ifHeld: true,
})

/** Calls that look up a name. */
const LOOKS_UP =
  /(?:^|[._])(?:(?:get|set|has|del)attr|attrgetter|methodcaller|spy_?on|patch(?:\.\w+)?|mock\w*|stub\w*|dlsym|GetProcAddress)$/i
/** Attributes that name a function in a string. */
const LINKS = /\b(?:alias|ifunc|weakref)(?:__)?\s*\(\s*"$/
const NAMES_OF_MODULE = /(?:^|\.)__all__$/
const FOREIGN = /\b(?:ctypes|cffi|dlopen|koffi|ffi|wasm|WebAssembly|napi|JNI|extern)\b/

/** Judges a place by its text. */
export function judge(target: Target, place: WrittenPlace): Judged {
  const { path, kind } = place
  const language = languageOf(path)
  if (kind === 'text') return MENTION
  if (language === undefined) return judgeText(target, place)
  if (!isSameFamily(path, target.path)) return judgeForeign(target, place)
  // The text of a component shows what it imports.
  if (isComponentFile(path) && kind !== 'string') return other('the component means another')
  if (kind === 'macro') return open('it stands in a macro')
  if (kind === 'module') return other('it names a module')
  switch (target.scope) {
    case 'member':
      return judgeMember(place)
    case 'module':
      return judgeModule(target, place)
    case 'local':
      return judgeLocal(target, place)
  }
}

function judgeMember({ path, kind, of = '' }: WrittenPlace): Judged {
  switch (kind) {
    case 'name':
      return languageAt(path).reflection ? other('it is no member') : ask('its meaning is unknown')
    case 'string':
      if (hasMacros(path)) return LOOKS_UP.test(of) ? open(`${of} looks it up`) : MENTION
      return ask(of === '' ? 'a text of that name may be used to look it up' : `a text, in ${of}`)
    case 'key':
      return ask('a key of that name may become the member')
    default:
      return ask('its owner is unknown')
  }
}

function judgeModule(target: Target, { path, text, kind, of = '', start }: WrittenPlace): Judged {
  switch (kind) {
    case 'name':
    case 'shorthand':
      return ask('its meaning is unknown')
    case 'key':
      return of === 'mock' ? open('a mock replaces it under this name') : other('it is the name of a property')
    case 'string':
      if (hasMacros(path) && LINKS.test(text.slice(Math.max(0, start - 80), start)))
        return open('an attribute links to it')
      if (hasMacros(path)) return LOOKS_UP.test(of) ? open(`${of} looks it up`) : MENTION
      if (isRun(of)) return open(`${of} may run it`)
      if (NAMES_OF_MODULE.test(of) || namesModule(target, text, start)) return open('a text names it with its module')
      return LOOKS_UP.test(of)
        ? open(`${of} may look it up`)
        : onlyThroughModule('a text of that name may be used to look it up', true)
    default:
      return hasMacros(path) ? ask('its owner is unknown') : onlyThroughModule('its owner is unknown', true)
  }
}

function judgeLocal(target: Target, { path, text, kind }: WrittenPlace): Judged {
  const isOwn = path === target.path
  if (kind === 'name' || kind === 'shorthand')
    return isOwn ? ask('its meaning is unknown') : other('it is in another file')
  if (!target.isParameter)
    return kind === 'string' && isOwn && READS_LOCALS.test(text)
      ? open('a text may name it')
      : other('only its function knows it')
  if (kind === 'member') return ask('the called function is unknown')
  const callee = target.name.split('.').at(-2) ?? ''
  return text.includes('**') && (isOwn || (callee !== '' && text.includes(callee)))
    ? open('a call may be given it by its name')
    : other('it is a key of its own')
}

const READS_LOCALS = /\b(?:locals|vars|eval|exec)\s*\(/

/** Configuration, templates and documents. */
function judgeText(target: Target, { text, kind, of, start }: WrittenPlace): Judged {
  if (target.scope === 'local') return MENTION
  if (kind === 'string' && namesModule(target, text, start)) return open('a text names it with its module')
  if (hasMacros(target.path)) return MENTION
  if (target.scope === 'member') return open(`written in a ${of === 'template' ? 'template' : 'configuration'}`)
  if (of === 'template')
    return kind === 'name' && /^\s*\(/.test(text.slice(start + target.old.length))
      ? open('a template may call it')
      : MENTION
  return kind === 'string' ? onlyThroughModule('written in a configuration', false) : MENTION
}

/** Another language sees it only through a foreign function interface. */
const judgeForeign = (target: Target, { text, kind }: WrittenPlace): Judged =>
  target.scope === 'module' && kind !== 'key' && FOREIGN.test(text) ? open('another language may call it') : MENTION

/** `pkg.module.name`, `module:name`, `src/module.name`. */
function namesModule({ path }: Target, text: string, start: number): boolean {
  const [, before = ''] = /([^\s"'`]*)[.:#]$/.exec(text.slice(Math.max(0, start - 200), start)) ?? []
  return before.split(/[./:#\\]/).some(part => part === moduleName(path) || part === moduleStem(path))
}
