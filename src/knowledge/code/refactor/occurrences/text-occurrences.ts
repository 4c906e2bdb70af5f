import { posix } from 'node:path'
import { isComponentFile } from '../../../../languages/registry.ts'
import { stringKind, templateKind, type WrittenName } from '../../../model/occurrences/occurrence.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'

const TEMPLATES = /\.(?:html?|xhtml|jinja2?|j2|njk|hbs|handlebars|mustache|ejs|erb|liquid|astro|twig|tmpl|tpl)$/i
const PROSE =
  /\.(?:md|mdx|markdown|rst|adoc|txt|csv|tsv|svg|css|scss|sass|less|log|po|diff|patch)$|(?:^|\/)(?:LICENSE|CHANGELOG|README|AUTHORS|NOTICE)[^/]*$/i
/** Manifests whose keys belong to a tool, and generated files. */
const MANIFESTS =
  /(?:^|\/)(?:package\.json|[jt]sconfig[^/]*\.json|pyproject\.toml|setup\.cfg|Cargo\.toml|\.[^/]*rc(?:\.\w+)?|docker-compose[^/]*|Dockerfile|Makefile)$|(?:^|\/)\.(?:github|gitlab|vscode|circleci)\//
const WRITTEN_BY_TOOLS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|[^/]*\.lock|[^/]*\.map|[^/]*\.min\.\w+)$/

/** Reports whether a file is a document or generated. */
export const isProse = (path: string): boolean => PROSE.test(path) || WRITTEN_BY_TOOLS.test(path)

/** Occurrences of a name in a file that is no source code: configuration, templates, documents. */
export function textOccurrences(path: string, text: string, name: string): readonly WrittenName[] {
  const places = Array.from(text.matchAll(wordOf(name, 'gu')), ({ index }) => index)
  if (isProse(path)) return places.map(start => ({ start, kind: 'text' }))
  if (TEMPLATES.test(path) || isComponentFile(path))
    return places.map(start => ({ start, kind: templateKind(text, start), of: 'template' }))
  const isManifest = MANIFESTS.test(path)
  return places.map(start => {
    const { content, at, rest } = scalarAt(text, start, start + name.length)
    if (isComment(text, start, path)) return { start, kind: 'text' }
    if (content === name && /^["']?\s*[:=]/.test(rest))
      return { start, kind: isManifest ? 'text' : 'key', of: 'configuration' }
    return { start, kind: stringKind(content, name, at), of: 'configuration' }
  })
}

/** The value around a place: a quoted string, or text without blanks and brackets. */
function scalarAt(text: string, start: number, end: number) {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const quote = ['"', "'", '`'].find(each => line.split(each).length % 2 === 0)
  const inside = quote === undefined ? String.raw`[^\s,=(){}[\]<>|]*` : String.raw`[^${quote}\n]*`
  const before = new RegExp(`${inside}$`).exec(text.slice(Math.max(0, start - 500), start))?.[0] ?? ''
  const after = new RegExp(`^${inside}`).exec(text.slice(end, end + 500))?.[0] ?? ''
  // The colon of a key is not part of its name.
  const tail = after === ':' ? '' : after
  const until = end + tail.length
  return { content: before + text.slice(start, end) + tail, at: before.length, rest: text.slice(until, until + 20) }
}

function isComment(text: string, start: number, path: string): boolean {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return posix.extname(path) !== '.json' && /(?:^|\s)(?:#|\/\/|--|;)/.test(line)
}
