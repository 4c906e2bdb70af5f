import type { Section } from '../section-types.ts'
import { lineCounter } from './doc-comments.ts'

const LONGEST_DOCSTRING = 6_000

const DOCUMENTED =
  /(?:^|\n)(?<indent>[ \t]*)(?:async\s+)?(?<what>def|class)\s+(?<name>\w+)(?<head>[^\n]*(?:\n(?![ \t]*(?:"""|'''|[rRuU]+"""))[^\n]*){0,15}?):[ \t]*(?:#[^\n]*)?\n[ \t]*[rRuU]?(?<quote>"""|''')(?<doc>[\s\S]*?)\k<quote>/g

/** Returns the docstrings of a Python module, of its classes and of its functions. */
export function docstrings(source: string, path: string, module: string): readonly Section[] {
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
