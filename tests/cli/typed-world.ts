import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteArgv } from '../../src/kernel/shell-quote.ts'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'
import { repository } from '../process/git-world.ts'

const FILES = {
  'README.md': '# Shop\n\nTODO: write more\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "echo 12 passed" } }\n',
  'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true, "lib": ["esnext"], "noEmit": true } }\n',
  'src/cart.ts': `import { round } from './round.ts'

/** The prices of one order. */
export class Cart {
  private prices: number[] = []

  add(price: number): void {
    this.prices.push(price)
  }

  total(): number {
    return round(this.prices.reduce((sum, price) => sum + price, 0))
  }
}
`,
  'src/round.ts': 'export const round = (value: number): number => Math.round(value)\n',
}

/** A small repository, with `toolwright` on the PATH. */
export interface TypedWorld extends AsyncDisposable {
  readonly workspace: TemporaryWorkspace
  readonly env: Readonly<Record<string, string>>
}

export function typedWorld(): TypedWorld {
  const workspace = repository(FILES)
  const bin = join(workspace.base, 'bin')
  mkdirSync(bin)
  mkdirSync(workspace.env['HOME'] ?? '', { recursive: true })
  writeFileSync(join(bin, 'toolwright'), `#!/bin/sh\nexec ${quoteArgv([process.execPath, CLI])} "$@"\n`)
  chmodSync(join(bin, 'toolwright'), 0o755)
  const env = { ...workspace.env, PATH: `${bin}:${workspace.env['PATH']}`, USER: 'ada', LANG: 'C.UTF-8', TZ: 'UTC' }
  return { workspace, env, [Symbol.asyncDispose]: () => workspace.remove() }
}
