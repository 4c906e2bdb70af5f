import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../package-folder.ts'
import type { ServerDefinition } from '../server-definition.ts'

/** Above this Go's collector works harder; the server is ended only at the limit for commands. */
const MEMORY = '1GiB'

/** Without it the server starts npm to install type packages, which has no network in the sandbox. */
const NO_TYPES_FETCHED = {
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
}

/** Settings that may change any judgement. */
const SETTINGS = /(?:^|\/)[tj]sconfig[^/]*\.json$/

export const server: ServerDefinition = {
  name: 'typescript',
  extensions: ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'],
  install: 'npm install typescript@7',
  isInstalled: true,
  loadsByProject: true,
  looksOnceForDirectories: true,
  settings: { 'js/ts': NO_TYPES_FETCHED, typescript: NO_TYPES_FETCHED, javascript: NO_TYPES_FETCHED },
  configuredBy: /\.json$/,
  reads: path => SETTINGS.test(path),
  projectFiles:
    /(?:^|\/)(?:[tj]sconfig[^/]*\.json|package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock)$/,
  codePrefix: 'TS',
  hasNoWarnings: true,
  find() {
    const folder = packageFolder(`@typescript/typescript-${process.platform}-${process.arch}`, 'typescript')
    const program = folder && join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
    if (folder === undefined || program === undefined || !existsSync(program)) return undefined
    return { argv: [program, '--lsp', '--stdio'], env: { GOMEMLIMIT: MEMORY }, visible: [folder] }
  },
}
