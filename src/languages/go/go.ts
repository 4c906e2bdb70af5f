import type { Language } from '../language.ts'
import { library } from './library.ts'

export const go: Language = {
  name: 'go',
  libraryFrames: /\/go\/(?:src|pkg)\//,
  extensions: ['go'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).go,
  server: {
    name: 'gopls',
    extensions: ['go'],
    install: 'Install gopls with: go install golang.org/x/tools/gopls@latest',
    launch: {
      env: { GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
      reads: { variable: 'GOMODCACHE', place: 'go/pkg/mod' },
    },
  },
  documentation: { 'go.mod': ['go'] },
  bracketsInstantiate: true,
  satisfiesInterfaces: true,
  needsReceivers: true,
  resolvesLocalTypes: true,
  packageOf: folders => folders.join('.'),
  moduleFile: { name: 'go.mod', states: /^[ \t]*module\s+"?([^\s"]+)/m },
  library,
  reserved:
    'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
  indentation: '\t',
}
