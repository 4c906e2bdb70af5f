import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ServerDefinition } from './definition.ts'

/** Above this Go's collector works harder; the server is ended only at the limit for commands. */
const TYPESCRIPT_MEMORY = '1GiB'
const PYRIGHT_MEGABYTES = 3072

/** Without it the server starts npm to install type packages, which has no network in the sandbox. */
const NO_TYPES_FETCHED = {
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
}

/** The servers installed with us, unless optional packages are left out. */
export const INSTALLED_SERVERS: readonly ServerDefinition[] = [
  {
    name: 'typescript',
    extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
    install: 'npm install typescript@7',
    loadsByProject: true,
    looksOnceForDirectories: true,
    settings: { 'js/ts': NO_TYPES_FETCHED, typescript: NO_TYPES_FETCHED, javascript: NO_TYPES_FETCHED },
    find() {
      const folder = packageFolder(`@typescript/typescript-${process.platform}-${process.arch}`, 'typescript')
      const program = folder && join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
      if (folder === undefined || program === undefined || !existsSync(program)) return undefined
      return { argv: [program, '--lsp', '--stdio'], env: { GOMEMLIMIT: TYPESCRIPT_MEMORY }, visible: [folder] }
    },
  },
  {
    name: 'pyright',
    extensions: ['py', 'pyi'],
    install: 'npm install pyright',
    missesAliases: true,
    opensQuietly: true,
    judgesSilently: true,
    judgesOpenDocuments: true,
    // It cancels the last search for references when the next one arrives, and fails from then on if that was
    // cancelled.
    oneAtATime: ['textDocument/references'],
    begins: /^(Found \d+ source file|No source files found)/,
    // Without it the server checks every file of the workspace first, and questions wait for that.
    settings: { python: { analysis: { diagnosticMode: 'openFilesOnly', autoSearchPaths: true } } },
    find() {
      const folder = packageFolder('pyright')
      if (folder === undefined) return undefined
      const program = join(folder, 'langserver.index.js')
      return {
        argv: [process.execPath, `--max-old-space-size=${PYRIGHT_MEGABYTES}`, program, '--stdio'],
        visible: [folder, dirname(process.execPath)],
      }
    },
  },
]

/** The folder of an installed package, resolved from one that depends on it; undefined if it is missing. */
function packageFolder(name: string, from?: string): string | undefined {
  try {
    const here = createRequire(import.meta.url)
    const resolve = from === undefined ? here : createRequire(here.resolve(`${from}/package.json`))
    return dirname(resolve.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}
