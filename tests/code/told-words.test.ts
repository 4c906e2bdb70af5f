// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const SECRET = 'sk-very-secret-123'
const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "target": "esnext", "strict": true, "types": [], "moduleResolution": "bundler", "allowImportingTsExtensions": true, "noEmit": true } }',
  'src/secret/keys.ts': `export const TOKEN = '${SECRET}' as const\nexport const box = { hushed: 1, veiled: 2 }\n`,
  'src/secret/keys.py': `from typing import Final\nTOKEN: Final = "${SECRET}"\nHUSHED = 1\n`,
  'src/open.ts': 'export function open(wide: number) {\n  return wide\n}\n',
}

function configure({ env }: TemporaryWorkspace, config: object): void {
  const home = env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
}

const hiding = (path: string, more: object = {}) => ({
  policy: { rules: [{ action: '*', path, verdict: 'deny' }] },
  ...more,
})

/** Ways to have a server quote what may not be read; the second one hides what it imports from whoever goes by text. */
const SCRIPT = `import { TOKEN, toke } from './secret/keys.ts'
import { box } from './secret/keys.ts'
const n: 'zzz' = TOKEN
const m: { other: number } = box
const o: 'zzz' = (null as unknown as typeof import /* far */ ('./secret/keys.ts')).TOKEN
`
const PYTHON = 'from .secret.keys import TOKEN\nn: int = TOKEN\n'

const said = (outcome: Outcome): string =>
  `${JSON.stringify(outcome)} ${outcome.ok ? '' : `${outcome.error.message} ${JSON.stringify(outcome.error.details)}`}`

const quoted = (text: string) => [SECRET, 'veiled', 'HUSHED', "'TOKEN'?"].filter(word => text.includes(word))

describe('what a server quotes of files that may not be read', () => {
  for (const [path, content, total] of [
    ['src/probe.ts', SCRIPT, 4],
    ['src/probe.py', PYTHON, 1],
  ] as const)
    it(`is told by no effects: ${path}`, async () => {
      await using workspace = temporaryWorkspace(FILES)
      configure(workspace, hiding('src/secret/**', { effects: { refuse: 'new-errors' } }))
      const kit = await workspace.open({ permissions: ['fs:write'], effects: 'complete' })
      const dry = await kit.run('write', { path, content }, { dryRun: true })
      expect(dry.outcome.meta.effects).toMatchObject({ complete: true, introduced: { total } })
      const refused = await kit.run('write', { path, content })
      expect(refused.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
      await kit.run('stage', { action: 'begin' })
      await kit.run('write', { path, content })
      const staged = await kit.run('effects', {})
      expect(staged.outcome).toMatchObject({ data: { effects: { introduced: { total } } } })
      for (const { outcome } of [dry, refused, staged]) {
        expect(quoted(said(outcome))).toEqual([])
        expect(said(outcome)).toContain('could quote a file that may not be read')
      }
    })

  it('leaves what stands in the file itself, and everything where no file is kept that could be quoted', async () => {
    const probe = { path: 'src/probe.ts', content: `import { open } from './open.ts'\nopen('far')\nopen(1, 2)\n` }
    const told = async (rule: string) => {
      await using workspace = temporaryWorkspace({ ...FILES, 'src/.env': 'A=1\n' })
      configure(workspace, hiding(rule))
      const kit = await workspace.open({ permissions: ['fs:write'], effects: 'complete' })
      const { outcome } = await kit.run('write', probe)
      return outcome.meta.effects?.introduced.first.map(({ message }) => message)
    }
    const [first, second] = (await told('**/.env*')) ?? []
    expect([first, second]).toEqual([
      `Argument of type 'string' is not assignable to parameter of type 'number'.`,
      'Expected 1 arguments, but got 2.',
    ])
    expect(await told('src/secret/**')).toEqual([first, second])
  })

  it('is told by no refusal of a refactoring', async () => {
    const use = `import { box } from './secret/keys.ts'\nexport interface Mine {\n  hushed: number\n}\nexport const mine: Mine = box\n`
    await using workspace = temporaryWorkspace({ ...FILES, 'src/use.ts': use })
    configure(workspace, hiding('src/secret/**'))
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const input = { kind: 'rename', path: 'src/use.ts', symbol: 'Mine.hushed', to: 'zzz' }
    const { outcome } = await kit.run('refactor', input)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(said(outcome)).toContain('could quote a file that may not be read')
    expect(quoted(said(outcome))).toEqual([])
  })
})
