import { partOf } from './levels.ts'
import type { Module } from './module.ts'

const touching = new Set(['machine', 'languages', 'knowledge', 'service', 'surfaces', 'testing'])
const system = /^(node:)?(fs|child_process|net|tls|dgram|http|https|http2|dns|worker_threads|cluster|sqlite)(\/.*)?$/

/** Reports system imports outside the parts that touch the machine; an imported type touches nothing. */
export const systemImports = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => !touching.has(partOf(file)))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ target, typeOnly }) => !typeOnly && system.test(target))
        .map(
          ({ target }) =>
            `${file}: only machine, languages, knowledge, service, surfaces and testing may import ${target}`,
        ),
    )

const impure =
  /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)|\bMath\.random\b|\bperformance\.now\b|\bhrtime\b|\brandom(UUID|Bytes|Int)\b|\bgetRandomValues\b|\bset(Timeout|Interval|Immediate)\b|\bprocess\./g

/** A guard decides the same way for the same input: no clock, no randomness, no process. */
export const impureGuards = (modules: readonly Module[]): readonly string[] =>
  modules
    .filter(({ file }) => partOf(file) === 'guards')
    .flatMap(({ file, code }) =>
      [...code.matchAll(impure)].map(([word]) => `${file}: a guard is pure and has no ${word}`),
    )
