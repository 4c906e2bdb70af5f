import type { Module } from './module.ts'

const folders = new Set(['utils', 'util', 'helpers', 'common', 'services', 'managers'])
const words = new Set(['manager', 'service', 'handler', 'helper', 'util', 'impl'])

/** After what a published document calls so. */
const spelled = new Set(['createTodoManagerTool', 'ToolBase'])

/** Names that say what pattern something is, not what it does. */
export const emptyNames = (modules: readonly Module[]): readonly string[] =>
  modules.flatMap(({ file, exports }) => [
    ...file
      .split('/')
      .slice(0, -1)
      .filter(folder => folders.has(folder))
      .map(folder => `${file}: no folder is called ${folder}`),
    ...[fileName(file), ...exports].filter(saysNothing).map(name => `${file}: ${name} names a pattern, not an idea`),
  ])

/** `Base` is a word of ours for what a change starts from; as the first or last word of a type it is the pattern. */
const saysNothing = (name: string): boolean =>
  !spelled.has(name) && (/^Base[A-Z]|^[A-Z]\w*Base$/.test(name) || wordsOf(name).some(word => words.has(word)))

const wordsOf = (name: string): readonly string[] =>
  name.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])/).map(word => word.toLowerCase().replace(/s$/, ''))

const fileName = (file: string): string => file.split('/').at(-1) ?? file
