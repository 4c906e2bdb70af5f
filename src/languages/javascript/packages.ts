import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MOST_FILES, textFile, type DocumentationFile } from '../documentation-files.ts'
import { entriesOf, insideRoot, type InstalledPackage, type PackageSource } from '../installed-packages.ts'

const DEEPEST = 8

/** The packages of every `node_modules`. */
export const npm: PackageSource = {
  name: 'npm',
  lockFiles: [
    'package.json',
    'package-lock.json',
    'npm-shrinkwrap.json',
    'pnpm-lock.yaml',
    'yarn.lock',
    'bun.lock',
    'node_modules/.package-lock.json',
    'node_modules/.modules.yaml',
  ],
  folders: moduleFolders,
  groups: async (root, folder) =>
    (await entriesOf(join(root, folder))).filter(name => name.startsWith('@')).map(scope => `${folder}/${scope}`),
  packages: async (root, folder) => npmPackages(root, folder, await directDependencies(root)),
  files: npmFiles,
}

async function npmPackages(root: string, folder: string, direct: ReadonlySet<string>): Promise<InstalledPackage[]> {
  const names = await namesIn(root, folder)
  const packages = await Promise.all(
    names.map(async (name): Promise<InstalledPackage[]> => {
      const directory = `${folder}/${name}`
      const inside = await insideRoot(root, directory)
      const manifest = inside && Object(await jsonIn(join(root, directory, 'package.json')))
      const [packageName, version] = [manifest?.name ?? name, manifest?.version]
      if (typeof version !== 'string' || typeof packageName !== 'string') return []
      const stats = await stat(join(root, directory, 'package.json')).catch(() => undefined)
      const stamp = `${version} ${stats?.mtimeMs ?? ''}`
      // Another version of the same package, which a dependency brought along.
      const nestedPackages = await npmPackages(root, `${directory}/node_modules`, NONE)
      const isDirect = direct.has(name)
      const itself = {
        key: directory,
        name: packageName,
        version,
        stamp,
        direct: isDirect,
        ecosystem: 'npm',
        directory,
      } as const
      return [itself, ...nestedPackages]
    }),
  )
  return packages.flat()
}

const NONE: ReadonlySet<string> = new Set()

/** Returns the names below a `node_modules`, with their scopes. */
async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await entriesOf(join(root, folder))
  const scopedNames = await Promise.all(
    names
      .filter(name => name.startsWith('@'))
      .map(async scope => (await entriesOf(join(root, folder, scope))).map(name => `${scope}/${name}`)),
  )
  return [...names.filter(name => !name.startsWith('@')), ...scopedNames.flat()].filter(name => !/(^|\/)\./.test(name))
}

/** Returns every `node_modules` of the workspace that is not part of a package: those of a monorepo lie deeper. */
async function moduleFolders(root: string): Promise<readonly string[]> {
  const folders: string[] = []
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
    for (const { name } of entries.filter(entry => entry.isDirectory())) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (name === 'node_modules') folders.push(path)
      else if (depth > 0 && !name.startsWith('.') && !SKIPPED.has(name)) await look(path, depth - 1)
    }
  }
  await look('', 2)
  return folders.toSorted((one, other) => one.length - other.length)
}

const SKIPPED = new Set(['dist', 'build', 'out', 'target', 'coverage', 'vendor', 'venv', 'env'])

async function directDependencies(root: string): Promise<ReadonlySet<string>> {
  const manifest = Object(await jsonIn(join(root, 'package.json')))
  const lists = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  return new Set(lists.flatMap(list => Object.keys(Object(manifest[list]))))
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

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
const fileOf = (path: string, name: string, isText: boolean): readonly DocumentationFile[] =>
  /\.d\.[cm]?ts$/.test(name) ? [{ path, kind: 'comment', form: 'declarations' }] : isText ? textFile(path, name) : []

/** Many packages hold the same declarations for both kinds of modules. */
function withoutTwins(files: readonly DocumentationFile[]): DocumentationFile[] {
  const paths = new Set(files.map(({ path }) => path))
  return files.filter(({ path }) => {
    const stem = path.replace(/\.d\.[cm]ts$/, '')
    if (stem === path || paths.has(`${stem}.d.ts`)) return stem === path
    return !(path.endsWith('.d.cts') && paths.has(`${stem}.d.mts`))
  })
}
