import { registerHooks } from 'node:module'

/** Vitest runs this file again for each test file of a process; what is global stays. */
const shared: { toolwrightStartsBuilt?: true } = Object(globalThis)

const REAL = new URL('../../src/machine/own-program.ts', import.meta.url).href
const BUILT = new URL('built-own-program.ts', import.meta.url).href

// Where Node loads the files itself, `vi.mock` reaches none of them: tests/built-programs.ts does this elsewhere.
if (!shared.toolwrightStartsBuilt)
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      return found.url === REAL && context.parentURL !== BUILT ? { ...found, url: BUILT } : found
    },
  })
shared.toolwrightStartsBuilt = true
