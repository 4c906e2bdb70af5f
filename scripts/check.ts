import { existsSync } from 'node:fs'
import { at, root } from './root.mjs'
import { handOver, run } from './run.mjs'

/** The checks of `npm run check`. Runs all, or the named ones, even after a failure. */
const steps: readonly (readonly [name: string, script: string, ...args: readonly string[]])[] = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'console', '--noEmit'],
  ['lint', 'node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  ['format', 'node_modules/oxfmt/bin/oxfmt', '--check'],
  ['architecture', 'node_modules/vitest/vitest.mjs', 'run', 'tests/architecture'],
  ['docs', 'scripts/docs.ts', '--check'],
]

/** Prints figures of the sources instead of checking them. */
if (process.argv.includes('--house') || process.argv.includes('house'))
  process.exit(await handOver(process.execPath, [at('scripts', 'house.ts')]))

const named = process.argv.slice(2)
const unknown = named.find(name => !steps.some(([step]) => step === name))
if (unknown !== undefined) {
  console.log(`There is no step '${unknown}'. Steps: ${steps.map(([step]) => step).join(', ')}`)
  process.exit(2)
}

const failed: string[] = []
for (const [name, script, ...args] of steps) {
  if (named.length > 0 && !named.includes(name)) continue
  if (!existsSync(at(script)) && name === 'docs') continue
  const start = performance.now()
  const { code, output } = await run(process.execPath, [at(script), ...args], { cwd: root })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${name.padEnd(12)} ${code === 0 ? 'ok' : 'failed'} ${seconds} s`)
  if (code === 0) continue
  failed.push(name)
  console.log(output.trimEnd())
}

if (failed.length > 0) console.log(`check failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
