import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Bench } from './bench.ts'
import { compareExports, type Compared } from './compare-exports.ts'
import { corpora } from './corpora.ts'
import { linkedWorkspace } from './linked-workspace.ts'

/** Packages that were installed for other reasons, and those of the corpus: chosen by name, whatever comes out. */
const INSTALLED = [
  '@modelcontextprotocol/server',
  '@types/node',
  'chai',
  'es-module-lexer',
  'fast-check',
  'jose',
  'magic-string',
  'oxc-parser',
  'postcss',
  'typescript-checker',
  'undici-types',
  'vite',
  'vitest',
  'zod',
]
/** Packages that pass on everything of each other, by name. */
const LINKED = [
  'vue@3.5.22',
  '@vue/compiler-core@3.5.22',
  '@vue/compiler-dom@3.5.22',
  '@vue/reactivity@3.5.22',
  '@vue/runtime-core@3.5.22',
  '@vue/runtime-dom@3.5.22',
  '@vue/shared@3.5.22',
  '@tanstack/query-core@5.80.0',
  '@tanstack/react-query@5.80.0',
  'redux@5.0.1',
  '@reduxjs/toolkit@2.8.2',
]
const FETCHED = /^(rxjs|angular-(core|cdk|forms|router)|mui-material|lodash)-/

/** Exported names, beside those that TypeScript's checker finds. */
export const exports: Bench = {
  about: 'exported names of real packages, beside the TypeScript checker: precision and recall',
  async run() {
    const [small, medium] = corpora(['small', 'medium'])
    const fetched = [small, medium].flatMap(corpus =>
      corpus
        ? readdirSync(corpus.path)
            .filter(name => FETCHED.test(name))
            .map(name => join(corpus.path, name))
        : [],
    )
    const installed = INSTALLED.map(name => [name, join(import.meta.dirname, '..', 'node_modules', name)] as const)
    const byName = new Map([...installed, ...fetched.map(path => [basename(path), path] as const)])
    const compared: (Compared & { readonly name: string })[] = []
    for (const [name, path] of byName) compared.push({ name, ...(await compareExports(path)) })
    using linked = linkedWorkspace(LINKED)
    compared.push({ name: `${LINKED.length} linked packages`, ...(await compareExports(linked.path)) })
    const sum = (key: 'files' | 'expected' | 'listed' | 'common' | 'beyond') =>
      compared.reduce((total, each) => total + each[key], 0)
    const precision = sum('common') / sum('listed')
    const recall = sum('common') / sum('expected')
    return {
      rows: compared.map(({ name, files, expected, listed, common, differences }) => ({
        what: name,
        cells: {
          modules: files,
          names: expected,
          'precision %': listed === 0 ? 100 : (100 * common) / listed,
          'recall %': expected === 0 ? 100 : (100 * common) / expected,
          differing: differences.length,
        },
      })),
      notes: [
        `${sum('files')} modules; ${sum('beyond')} more pass on everything of a package that is not there, and are not compared`,
        'what a script passes on is compared with the scripts that it names, not with the types beside them',
        ...compared.flatMap(({ name, differences }) =>
          differences.slice(0, 10).map(({ path, missing, extra }) => {
            const shown = (sign: string, names: readonly string[]) => names.slice(0, 5).map(each => ` ${sign}${each}`)
            return `${name}/${path}:${[...shown('-', missing), ...shown('+', extra)].join('')}`
          }),
        ),
      ],
      goals: [
        {
          what: 'precision',
          limit: '≥ 99.5 %',
          measured: `${(100 * precision).toFixed(2)} %`,
          met: precision >= 0.995,
        },
        { what: 'recall', limit: '≥ 99.5 %', measured: `${(100 * recall).toFixed(2)} %`, met: recall >= 0.995 },
      ],
    }
  },
}
