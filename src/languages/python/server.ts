import { dirname, join } from 'node:path'
import { packageFolder } from '../package-folder.ts'
import type { ServerDefinition } from '../server-definition.ts'

const MEGABYTES = 3072

const SETTINGS = /(?:^|\/)(?:pyproject\.toml|pyrightconfig\.json)$/

export const server: ServerDefinition = {
  name: 'pyright',
  extensions: ['py', 'pyi'],
  install: 'npm install pyright',
  isInstalled: true,
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
  configuredBy: SETTINGS,
  reads: (path, text) => path.endsWith('pyrightconfig.json') || text.includes('pyright'),
  projectFiles: SETTINGS,
  looksForImportsOnDisk: true,
  unresolved: /^Import "([^"]+)" could not be resolved/,
  find() {
    const folder = packageFolder('pyright')
    if (folder === undefined) return undefined
    const program = join(folder, 'langserver.index.js')
    return {
      argv: [process.execPath, `--max-old-space-size=${MEGABYTES}`, program, '--stdio'],
      visible: [folder, dirname(process.execPath)],
    }
  },
}
