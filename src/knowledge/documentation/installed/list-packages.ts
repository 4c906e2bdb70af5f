import { createHash } from 'node:crypto'
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { DocumentedPackage } from '../section-types.ts'

/** A package in the workspace. */
export interface InstalledPackage extends DocumentedPackage {
  readonly ecosystem: 'npm' | 'python'
  /** Relative to the workspace: of an npm package its directory, of a Python one its `dist-info`. */
  readonly directory: string
}

const LOCK_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'requirements.txt',
]

/** Returns a text that changes whenever packages are installed, updated or removed. */
export async function fingerprintOf(root: string): Promise<string> {
  const places = [...(await moduleFolders(root)), ...(await sitePackages(root))]
  const scopes = await Promise.all(places.map(async place => [place, ...(await scopesIn(root, place))]))
  const hash = createHash('sha256')
  for (const path of [...LOCK_FILES, ...scopes.flat()]) {
    const stats = await stat(join(root, path)).catch(() => undefined)
    hash.update(`${path}\0${stats ? `${stats.mtimeMs} ${stats.isFile() ? stats.size : ''}` : ''}\0`)
  }
  return hash.digest('hex')
}

/** Returns the packages of every `node_modules` and virtual environment, those of the project itself first. */
export async function listPackages(root: string): Promise<readonly InstalledPackage[]> {
  const direct = await directDependencies(root)
  const npm = await Promise.all((await moduleFolders(root)).map(folder => npmPackages(root, folder, direct)))
  const python = await Promise.all((await sitePackages(root)).map(folder => pythonPackages(root, folder)))
  const all = [...npm.flat(), ...python.flat()].toSorted((one, other) => Number(other.direct) - Number(one.direct))
  // The same version in several places says the same.
  const first = new Map(all.toReversed().map(each => [`${each.ecosystem} ${each.name} ${each.version}`, each]))
  return all.filter(each => first.get(`${each.ecosystem} ${each.name} ${each.version}`) === each)
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

const scopesIn = async (root: string, folder: string): Promise<readonly string[]> =>
  (await entriesOf(join(root, folder))).filter(name => name.startsWith('@')).map(scope => `${folder}/${scope}`)

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

/** Returns the `site-packages` of virtual environments in the workspace. */
async function sitePackages(root: string): Promise<readonly string[]> {
  const directories: string[] = []
  for (const name of ['.venv', 'venv', 'env', '.env']) {
    if (!(await stat(join(root, name, 'pyvenv.cfg')).catch(() => undefined))?.isFile()) continue
    const versions = (await entriesOf(join(root, name, 'lib'))).filter(each => each.startsWith('python'))
    const places = [...versions.map(each => `${name}/lib/${each}/site-packages`), `${name}/Lib/site-packages`]
    for (const place of places)
      if ((await stat(join(root, place)).catch(() => undefined))?.isDirectory()) directories.push(place)
  }
  return directories
}

async function pythonPackages(root: string, folder: string): Promise<readonly InstalledPackage[]> {
  const names = (await entriesOf(join(root, folder))).filter(name => name.endsWith('.dist-info'))
  const packages = await Promise.all(
    names.map(async (entry): Promise<InstalledPackage[]> => {
      const directory = `${folder}/${entry}`
      if (!(await insideRoot(root, directory))) return []
      const head = (await readFile(join(root, directory, 'METADATA'), 'utf8').catch(() => '')).slice(0, 20_000)
      const [, name] = /^Name:\s*(\S+)/m.exec(head) ?? []
      const [, version] = /^Version:\s*(\S+)/m.exec(head) ?? []
      if (name === undefined || version === undefined) return []
      const stats = await stat(join(root, directory, 'METADATA')).catch(() => undefined)
      const isDirect = (await stat(join(root, directory, 'REQUESTED')).catch(() => undefined)) !== undefined
      const stamp = `${version} ${stats?.mtimeMs ?? ''}`
      return [{ key: directory, name, version, stamp, direct: isDirect, ecosystem: 'python', directory }]
    }),
  )
  return packages.flat()
}

/** Reports whether a directory is really in the workspace; a link may lead out of it. */
async function insideRoot(root: string, directory: string): Promise<boolean> {
  const [real, realRoot] = await Promise.all([realpath(join(root, directory)).catch(() => undefined), realpath(root)])
  if (real === undefined) return false
  const path = relative(realRoot, real)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`)
}

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

const entriesOf = async (directory: string): Promise<readonly string[]> =>
  (await readdir(directory).catch(() => [])).toSorted()
