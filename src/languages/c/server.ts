import type { ServerOnPath } from '../server-definition.ts'
import { cCommands } from './commands.ts'

/** Build and analysis settings. */
const SETTINGS = /(?:^|\/)(?:compile_commands\.json|compile_flags\.txt|\.clangd|\.clang-tidy)$/

/** One server for C and C++. */
export const server: ServerOnPath = {
  name: 'clangd',
  extensions: ['c', 'h', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx'],
  launch: {
    args: '--background-index --use-dirty-headers --limit-references=0 --limit-results=0 --log=error --pch-storage=memory'.split(
      ' ',
    ),
  },
  configuredBy: SETTINGS,
  reads: () => true,
  projectFiles: SETTINGS,
  refusal: {
    says: 'symbol is not a supported kind',
    means: 'clangd renames no virtual method, namespace or macro',
    hint: 'Change its declarations and the uses that `callers` lists by their text',
  },
  readsOnce: true,
  pushesDiagnostics: true,
  optionsFor: cCommands,
  install: 'Install clangd, for example with: apt-get install clangd',
}
