import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../../languages/registry.ts'
import { attempt } from '../../machine/state/cache-database.ts'

interface Listed {
  readonly slug: string
  readonly size: number
}

const MOST = 8
const LARGEST = 64 * 1024 * 1024

/** Returns the documentations to search: the named ones, else those of the workspace's languages and dependencies. */
export function usualDocs<Doc extends Listed>(
  root: string,
  catalogue: readonly Doc[],
  docNames: readonly string[] | undefined,
): readonly Doc[] {
  const fitting = (name: string): Doc | undefined =>
    catalogue.find(({ slug }) => slug === name) ??
    // The newest version comes first.
    catalogue.find(({ slug }) => slug.startsWith(`${name}~`))
  const names = docNames ?? [...languagesOf(root), ...dependenciesOf(root)]
  const docs = names.map(fitting).filter(doc => doc !== undefined && (docNames !== undefined || doc.size < LARGEST))
  return [...new Set(docs)].filter(doc => doc !== undefined).slice(0, docNames ? undefined : MOST)
}

const languagesOf = (root: string): readonly string[] =>
  LANGUAGES.flatMap(({ documentation = {} }) =>
    Object.entries(documentation).flatMap(([file, docs]) => (existsSync(join(root, file)) ? docs : [])),
  )

function dependenciesOf(root: string): readonly string[] {
  const manifest = attempt(() => Object(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))))
  const names = ['dependencies', 'devDependencies'].flatMap(list => Object.keys(Object(manifest?.[list])))
  return names.map(name =>
    name
      .replace(/^@[^/]+\//, '')
      .replace(/\.?js$/, '')
      .toLowerCase(),
  )
}
