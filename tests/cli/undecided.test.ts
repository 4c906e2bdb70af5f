// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { useCli } from './rig.ts'

const it = needs('bubblewrap')

const MAIN = "import { A } from './a'\nexport const go = (q: any) => q.pick()\ngo(new A())\n"
const cli = useCli({
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["esnext"], "noEmit": true } }',
  'a.ts': 'export class A { pick() { return 1 } }\n',
  'main.ts': MAIN,
})

describe('a refactoring that cannot decide every occurrence', () => {
  it('asks the person at the terminal with the list', async () => {
    const rename = JSON.stringify({ kind: 'rename', symbol: 'A.pick', path: 'a.ts', to: 'take' })
    const call = ['call', 'refactor', rename, '--allow', 'fs:read', '--allow', 'fs:write']
    const no = await cli.run(call, { person: ['n'] })
    expect(no.err.replaceAll('\r', '')).toMatch(/Not decided: 1\n {2}[0-9a-f]{8} {2}main\.ts:2 {2}export const go/)
    expect([no.code === 0, cli.workspace.read('a.ts')]).toEqual([false, 'export class A { pick() { return 1 } }\n'])
    // It is refused if no one can be asked.
    expect((await cli.run([...call, '--yes'])).code).not.toBe(0)
    expect((await cli.run(call, { person: ['y'] })).code).toBe(0)
    expect(cli.workspace.read('a.ts')).toBe('export class A { take() { return 1 } }\n')
    expect(cli.workspace.read('main.ts')).toBe(MAIN)
  })
})
