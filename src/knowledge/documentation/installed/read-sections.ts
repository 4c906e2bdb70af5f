import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { modulePath } from '../../../languages/file-model/path-kind.ts'
import type { DocumentationFile } from '../../../languages/documentation-files.ts'
import type { Position, Section } from '../section-types.ts'
import { docComments, lineCounter } from './doc-comments.ts'
import { splitSections } from './split-sections.ts'

const LARGEST_FILE = 1024 * 1024
const MOST_TEXT = 12 * 1024 * 1024

/**
 * Reads the sections of a package's files from a position on, each with the position after it. Leaves out what cannot be
 * read, is no text, or lies outside, and texts that the package has already.
 */
export function* readSections(
  root: string,
  files: readonly DocumentationFile[],
  { from, isStored }: { readonly from: Position; readonly isStored: (section: Section) => boolean },
): Generator<{ readonly section?: Section; readonly next: Position }> {
  const seenKeys = new Set<string>()
  let { size } = from
  for (let at = from.file; at < files.length; at++) {
    const file = files[at]
    const text = file && textIn(root, file.path)
    if (text === undefined || !file) continue
    if (size + text.length > MOST_TEXT) return
    const sections = sectionsOf(text, file)
    for (let index = at === from.file ? from.section : 0; index < sections.length; index++) {
      const section = sections[index]
      const key = `${section?.heading}\0${section?.body}`
      // Many packages hold the same declarations several times, for other versions or kinds of modules.
      if (!section || seenKeys.has(key) || isStored(section)) continue
      seenKeys.add(key)
      yield { section, next: { file: at, section: index + 1, size } }
    }
    size += text.length
    yield { next: { file: at + 1, section: 0, size } }
  }
}

function sectionsOf(text: string, { path, kind, form }: DocumentationFile): readonly Section[] {
  if (form === 'text') return splitSections(text, path, kind)
  if (form === 'declarations') return docComments(text, path)
  if (form === 'docstrings') return docstrings(text, path, moduleOf(path))
  // The description of a package follows its fields.
  const end = /\r?\n\r?\n/.exec(text)
  const start = end ? end.index + end[0].length : text.length
  const above = text.slice(0, start).split('\n').length - 1
  return splitSections(text.slice(start), path, kind).map(section => ({ ...section, line: section.line + above }))
}

const moduleOf = (path: string): string => modulePath(path.replace(/^.*site-packages\//, '')).replaceAll('/', '.')

/** Reads a file of the workspace that is no link, and of which no directory became one. */
function textIn(root: string, path: string): string | undefined {
  try {
    const fd = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const isInside = process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${root}/`)
      const stats = fstatSync(fd)
      if (!isInside || !stats.isFile()) return undefined
      const bytes = Buffer.alloc(Math.min(stats.size, LARGEST_FILE))
      const length = readSync(fd, bytes, 0, bytes.length, 0)
      const text = bytes.subarray(0, length).toString('utf8')
      return text.slice(0, 8_192).includes('\0') ? undefined : text.replace(/^\uFEFF/, '')
    } finally {
      closeSync(fd)
    }
  } catch {
    return undefined
  }
}

const LONGEST_DOCSTRING = 6_000

const DOCUMENTED =
  /(?:^|\n)(?<indent>[ \t]*)(?:async\s+)?(?<what>def|class)\s+(?<name>\w+)(?<head>[^\n]*(?:\n(?![ \t]*(?:"""|'''|[rRuU]+"""))[^\n]*){0,15}?):[ \t]*(?:#[^\n]*)?\n[ \t]*[rRuU]?(?<quote>"""|''')(?<doc>[\s\S]*?)\k<quote>/g

/** Returns the docstrings of a Python module, of its classes and of its functions. */
function docstrings(source: string, path: string, module: string): readonly Section[] {
  const lineAt = lineCounter(source)
  const [whole = '', , doc = ''] = /^(?:\s*#[^\n]*\n|\s*\n)*[rRuU]?("""|''')([\s\S]*?)\1/.exec(source) ?? []
  const moduleSections: Section[] =
    doc.trim() === ''
      ? []
      : [{ path, line: lineAt(whole.indexOf(doc)), heading: module, kind: 'comment', body: cleanDocstring(doc) }]
  const classes: { readonly name: string; readonly indent: number }[] = []
  return moduleSections.concat(
    [...source.matchAll(DOCUMENTED)].map((found): Section => {
      const { indent = '', what, name = '', head = '', doc: text = '' } = found.groups ?? {}
      while ((classes.at(-1)?.indent ?? -1) >= indent.length) classes.pop()
      const within = classes.map(each => each.name)
      if (what === 'class') classes.push({ name, indent: indent.length })
      const signature = `${what} ${name}${head}`.replace(/\s+/g, ' ').trim().slice(0, 400)
      return {
        path,
        line: lineAt(found.index + (found[0].startsWith('\n') ? 1 : 0)),
        heading: [module, ...within, name].join('.'),
        kind: 'comment',
        body: `${signature}\n${cleanDocstring(text)}`,
      }
    }),
  )
}

const cleanDocstring = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim().slice(0, 1_000))
    .join('\n')
    .trim()
    .slice(0, LONGEST_DOCSTRING)
