import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { SectionKind } from '../section-types.ts'
import type { InstalledPackage } from './list-packages.ts'

/** A file with documentation, relative to the workspace. */
export interface DocumentationFile {
  readonly path: string
  readonly kind: SectionKind
  readonly form: 'text' | 'declarations' | 'python' | 'metadata'
}

const MOST_FILES = 2_000
const DEEPEST = 8

/** Returns the files of a package that document it, the most telling first. */
export async function documentationFiles(root: string, of: InstalledPackage): Promise<readonly DocumentationFile[]> {
  const files = of.ecosystem === 'npm' ? await npmFiles(root, of.directory) : await pythonFiles(root, of.directory)
  return files.toSorted((one, other) => orderOf(one) - orderOf(other)).slice(0, MOST_FILES)
}

const ORDER: Readonly<Record<SectionKind, number>> = { readme: 0, docs: 1, page: 1, comment: 2, changelog: 3 }
const orderOf = ({ kind, path }: DocumentationFile): number => ORDER[kind] * 100 + path.split('/').length

async function npmFiles(root: string, directory: string): Promise<DocumentationFile[]> {
  const files: DocumentationFile[] = []
  const walk = async (folder: string, depth: number, isDocs: boolean): Promise<void> => {
    if (files.length > MOST_FILES * 2) return
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`
      // A link may lead anywhere.
      if (entry.isDirectory()) {
        if (depth > 0 && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
          await walk(path, depth - 1, isDocs || DOCS_FOLDER.test(entry.name))
      } else if (entry.isFile()) files.push(...fileOf(path, entry.name, isDocs || depth === DEEPEST))
    }
  }
  await walk(directory, DEEPEST, false)
  return withoutTwins(files)
}

const DOCS_FOLDER = /^(docs?|documentation|guides?|api-docs|reference)$/i

/** Texts count at the top of a package and in its documentation; declarations count anywhere. */
function fileOf(path: string, name: string, isText: boolean): DocumentationFile[] {
  if (/\.d\.[cm]?ts$/.test(name)) return [{ path, kind: 'comment', form: 'declarations' }]
  if (!isText || !/(\.(md|mdx|markdown|rst|txt)$)|^(readme|changelog|changes|history)$/i.test(name)) return []
  if (/^(licen[cs]e|copying|notice|third.?party|code_of_conduct|contributing|authors|contributors)/i.test(name))
    return []
  return [{ path, kind: kindOf(name), form: 'text' }]
}

const kindOf = (name: string): SectionKind =>
  /^(changelog|changes|history|releases?|news)\b/i.test(name) ? 'changelog' : /^readme/i.test(name) ? 'readme' : 'docs'

/** Many packages hold the same declarations for both kinds of modules. */
function withoutTwins(files: readonly DocumentationFile[]): DocumentationFile[] {
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => {
    const stem = path.replace(/\.d\.[cm]ts$/, '')
    if (stem === path || paths.has(`${stem}.d.ts`)) return stem === path
    return !(path.endsWith('.d.cts') && paths.has(`${stem}.d.mts`))
  })
}

/** A Python package lists its own files. */
async function pythonFiles(root: string, directory: string): Promise<DocumentationFile[]> {
  const site = posix.dirname(directory)
  const record = await readFile(join(root, directory, 'RECORD'), 'utf8').catch(() => '')
  const recordPaths = record
    .split('\n')
    .map(line => (/^"([^"]+)"|^([^,]+),/.exec(line) ?? []).slice(1).find(Boolean) ?? '')
  const inside = recordPaths.filter(path => path !== '' && !/^\/|(^|\/)\.\.(\/|$)|[\\\0]/.test(path))
  const stubs = new Set(inside.filter(path => path.endsWith('.pyi')))
  const files = inside.flatMap((path): DocumentationFile[] => {
    const name = posix.basename(path)
    if (/(^|\/)(tests?|testing|_vendor|vendor|__pycache__)\//.test(path)) return []
    if (/\.pyi?$/.test(path) && !name.startsWith('test_') && !stubs.has(`${path}i`))
      return [{ path: `${site}/${path}`, kind: 'comment', form: 'python' }]
    return path.includes('.dist-info/') ? [] : fileOf(`${site}/${path}`, name, true)
  })
  return [{ path: `${directory}/METADATA`, kind: 'readme', form: 'metadata' }, ...files]
}
