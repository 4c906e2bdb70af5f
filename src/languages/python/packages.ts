import { readFile, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { textFile, type DocumentationFile } from '../documentation-files.ts'
import { entriesOf, insideRoot, type InstalledPackage, type PackageSource } from '../installed-packages.ts'

/** The packages of virtual environments in a workspace. */
export const sitePackages: PackageSource = {
  name: 'python',
  lockFiles: ['poetry.lock', 'uv.lock', 'Pipfile.lock', 'requirements.txt'],
  folders: siteFolders,
  packages: packagesIn,
  files: packageFiles,
}

/** Returns the `site-packages` of virtual environments in the workspace. */
async function siteFolders(root: string): Promise<readonly string[]> {
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

async function packagesIn(root: string, folder: string): Promise<readonly InstalledPackage[]> {
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

/** A package lists its own files. */
async function packageFiles(root: string, directory: string): Promise<readonly DocumentationFile[]> {
  const site = posix.dirname(directory)
  const record = await readFile(join(root, directory, 'RECORD'), 'utf8').catch(() => '')
  const recordPaths = record
    .split('\n')
    .map(line => (/^"([^"]+)"|^([^,]+),/.exec(line) ?? []).slice(1).find(Boolean) ?? '')
  const inside = recordPaths.filter(path => path !== '' && !/^\/|(^|\/)\.\.(\/|$)|[\\\0]/.test(path))
  const stubs = new Set(inside.filter(path => path.endsWith('.pyi')))
  const files = inside.flatMap((path): readonly DocumentationFile[] => {
    const name = posix.basename(path)
    if (/(^|\/)(tests?|testing|_vendor|vendor|__pycache__)\//.test(path)) return []
    if (/\.pyi?$/.test(path) && !name.startsWith('test_') && !stubs.has(`${path}i`))
      return [{ path: `${site}/${path}`, kind: 'comment', form: 'docstrings' }]
    return path.includes('.dist-info/') ? [] : textFile(`${site}/${path}`, name)
  })
  return [{ path: `${directory}/METADATA`, kind: 'readme', form: 'metadata' }, ...files]
}
