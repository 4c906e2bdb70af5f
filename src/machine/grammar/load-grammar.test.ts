import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'

const SWIFT = 'func go(a: String, b: [Int]) -> Int { let y = a.count + b.map { $0 * 2 }[0]; return y }\n'
const BASH = 'f() { local a=$1; if [ "$a" = x ]; then echo "hi $a" | grep -v y; fi; }\n'

it.each([
  ['@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm', SWIFT],
  ['@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm', BASH],
])('parses with %s in less than 250 MB', (grammar, line) => {
  const file = createRequire(import.meta.url).resolve(grammar)
  const code = `
    import { readFileSync } from 'node:fs'
    import { Parser } from ${JSON.stringify(import.meta.resolve('web-tree-sitter'))}
    import { loadGrammar } from ${JSON.stringify(new URL('./load-grammar.ts', import.meta.url).href)}
    const grammar = await loadGrammar(${JSON.stringify(file)})
    const parser = new Parser().setLanguage(grammar)
    const errors = Array.from({ length: 20 }, () => parser.parse(${JSON.stringify(line.repeat(200))}).rootNode.hasError)
    // A compilation in the background has begun by now, and takes most of its memory within this time.
    await new Promise(done => setTimeout(done, 500))
    const [, peak] = /^VmHWM:\\s+(\\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    console.log(JSON.stringify({ errors, megabytes: Number(peak) / 1024 }))
  `
  const args = ['--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-e', code]
  const { errors, megabytes } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  expect(errors).toEqual(Array.from({ length: 20 }, () => false))
  expect(megabytes).toBeLessThan(250)
})
